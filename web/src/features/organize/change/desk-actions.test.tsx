/** What stays visible while an organizer works: the question, a code, and undoing by key. */
import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import { callsTo, open, PATIENT, server } from "../../../stand-in";
import { acted, ME, OWNERS_ACTIONS, signedIn, WEB } from "../stand-in";

beforeEach(() => signedIn([...OWNERS_ACTIONS, "team.code"]));

const find = (role: string, name: string | RegExp) => screen.findByRole(role, { name }, PATIENT);

test("the dialog that answers a question shows it", async () => {
  const question = { id: 4, at: 1, teamName: "Otters", text: "Is <b>port 22</b> in scope?" };
  const asked = { ...question, challengeId: null, state: "open", answer: null, answeredAt: null };
  server.replies["/organize/questions"] = [200, { questions: [asked] }];
  const { user } = open("/organize/desk");
  await user.click(await find("button", /^Answer/));
  const sheet = await find("dialog", "Answer Otters");
  expect(within(sheet).getByLabelText("Question").textContent).toBe(question.text);
});

test("a password code stays in the team's panel until it is closed", async () => {
  const { user } = open("/organize/teams?team=Otters");
  const code = "abcd-efgh-jkmn-pqrs";
  server.replies["/organize/actions"] = acted({
    action: "team.code",
    undo: { possible: false },
    code,
  });
  await user.click(await find("button", "Password code"));
  const sheet = await find("dialog", "Make a password code for Otters");
  await user.type(within(sheet).getByLabelText("Reason"), "At the desk{Control>}{Enter}{/Control}");
  const region = await find("region", "Password code");
  expect(region.textContent).toContain(code);
  expect(region.textContent).toContain(`${window.location.origin}/reset`);
  server.replies["/organize/actions"] = acted();
  await user.click(screen.getByRole("button", { name: /^Rename/ }));
  const rename = await find("dialog", "Rename Otters");
  await user.type(within(rename).getByLabelText("Reason"), "why{Control>}{Enter}{/Control}");
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull(), PATIENT);
  expect(screen.getByRole("region", { name: "Password code" }), "another action").toBeTruthy();
  await user.click(within(region).getByRole("button", { name: "Close" }));
  expect(screen.queryByRole("region", { name: "Password code" })).toBeNull();
});

test("u undoes the last action of a role that does not read the audit log", async () => {
  const actions = OWNERS_ACTIONS.filter((action) => action !== "action.list");
  const author = { ...ME, roles: ["author"], challenges: ["web"], actions };
  server.replies["/organize/me"] = [200, author];
  const done = { action: "challenge.status", sentence: "Ada said that web is fixed.", id: 12 };
  server.replies["/organize/actions"] = acted(done);
  const { user } = open("/organize/challenges?open=web");
  await user.click(await find("button", /^Status/));
  const sheet = await find("dialog", `Set the status of ${WEB.challengeName}`);
  await user.selectOptions(within(sheet).getByLabelText("Status"), "fixed");
  await user.click(within(sheet).getByRole("button", { name: /^Set the status/ }));
  const said = await screen.findByText(/^Ada said that web is fixed/, {}, PATIENT);
  const toast = said.closest<HTMLElement>(".org-toast") ?? document.body;
  server.replies["/organize/actions/12/undo"] = acted({ id: 13, undo: { possible: false } });
  await user.keyboard("u");
  const undo = await find("dialog", "Undo: Ada said that web is fixed.");
  await user.click(within(undo).getByRole("button", { name: "Close" }));
  // Also when the message has gone.
  await user.click(within(toast).getByRole("button", { name: "Close" }));
  await user.keyboard("u");
  await find("dialog", "Undo: Ada said that web is fixed.");
  await waitFor(() => expect(callsTo("/organize/actions/12/undo").length).toBeGreaterThan(0));
});
