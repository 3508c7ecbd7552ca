/** Questions in their answer dialog, reset codes, and undo by shortcut. */
import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import { callsTo, open, PATIENT, server } from "../../../fake-server";
import { acted, chooseAction, ME, OWNERS_ACTIONS, signedIn, WEB } from "../fake-server";

beforeEach(() => signedIn([...OWNERS_ACTIONS, "team.code"]));

const find = (role: string, name: string | RegExp) => screen.findByRole(role, { name }, PATIENT);

test("the answer dialog shows the question", async () => {
  const question = { id: 4, at: 1, teamName: "Otters", text: "Is <b>port 22</b> in scope?" };
  const asked = { ...question, challengeId: null, state: "open", answer: null, answeredAt: null };
  server.replies["/organize/questions"] = [200, { questions: [asked] }];
  const { user } = open("/organize/messages");
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
  await user.click(await find("button", "Create reset code"));
  const sheet = await find("dialog", "Create a reset code for Otters");
  await user.type(within(sheet).getByLabelText("Reason"), "At the desk{Control>}{Enter}{/Control}");
  const region = await find("region", "Reset code");
  expect(region.textContent).toContain(code);
  expect(region.textContent).toContain(`${window.location.origin}/reset`);
  server.replies["/organize/actions"] = acted();
  await chooseAction(user, "Otters", /^Rename/);
  const rename = await find("dialog", "Rename Otters");
  await user.type(within(rename).getByLabelText("Reason"), "why{Control>}{Enter}{/Control}");
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull(), PATIENT);
  expect(screen.getByRole("region", { name: "Reset code" }), "another action").toBeTruthy();
  await user.click(within(region).getByRole("button", { name: "Close" }));
  expect(screen.queryByRole("region", { name: "Reset code" })).toBeNull();
});

test("u undoes the last action of a role that does not read the audit log", async () => {
  const actions = OWNERS_ACTIONS.filter((action) => action !== "action.list");
  const author = { ...ME, roles: ["author"], challenges: ["web"], actions };
  server.replies["/organize/me"] = [200, author];
  const done = {
    action: "challenge.status",
    sentence: "Ada set the status of web to fixed.",
    id: 12,
  };
  server.replies["/organize/actions"] = acted(done);
  const { user } = open("/organize/challenges?open=web");
  await find("button", `More actions for ${WEB.challengeName}`);
  await user.keyboard("s");
  const sheet = await find("dialog", `Set the status of ${WEB.challengeName}`);
  await user.selectOptions(within(sheet).getByLabelText("Status"), "fixed");
  await user.click(within(sheet).getByRole("button", { name: /^Set the status/ }));
  const said = await screen.findByText(/^Ada set the status of web to fixed/, {}, PATIENT);
  const toast = said.closest<HTMLElement>("[data-toast]") ?? document.body;
  server.replies["/organize/actions/12/undo"] = acted({ id: 13, undo: { possible: false } });
  await user.keyboard("u");
  const undo = await find("dialog", "Undo: Ada set the status of web to fixed.");
  await user.click(within(undo).getByRole("button", { name: "Close" }));
  // Also works after the toast has closed.
  await user.click(within(toast).getByRole("button", { name: "Close" }));
  await user.keyboard("u");
  await find("dialog", "Undo: Ada set the status of web to fixed.");
  await waitFor(() => expect(callsTo("/organize/actions/12/undo").length).toBeGreaterThan(0));
});
