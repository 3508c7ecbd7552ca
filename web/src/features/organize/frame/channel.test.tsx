/** The pages and the live channel: a hint reads its lists, and no others. */
import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import { go } from "../../../navigate";
import { callsTo, open, PATIENT, say, server } from "../../../stand-in";
import { OTTERS, signedIn } from "../stand-in";

beforeEach(() => signedIn());

const find = (role: string, name: string | RegExp) => screen.findByRole(role, { name }, PATIENT);
const ALL = ["overview", "challenges", "teams", "story", "flags", "actions"];

test("flags appear when a hint has named their list, without other lists being asked", async () => {
  open("/organize/flags?verdict=wrong");
  expect(await screen.findByText("No flag in this filter.", {}, PATIENT)).toBeTruthy();
  say({ event: "changed", lists: ALL });
  await waitFor(() => expect(callsTo("/organize/flags").length).toBeGreaterThan(1), PATIENT);
  const asked = callsTo("/organize/overview").length;
  const flag = { at: Date.now(), teamName: "Ants", challengeId: "web", countsNow: false };
  const flags = [{ ...flag, verdict: "wrong", near: "decoy" }];
  server.replies["/organize/flags"] = [200, { flags, next: null }];
  say({ event: "changed", lists: ["flags"] });
  const row = (await find("link", "Ants")).closest("tr");
  expect(row?.textContent).toContain("wrong, a decoy");
  expect(row?.getAttribute("aria-rowindex")).toBe("2");
  expect(screen.getByRole("table").getAttribute("aria-rowcount")).toBe("2");
  expect(callsTo("/organize/overview")).toHaveLength(asked);
});

test("a near miss that was judged again says that it counts", async () => {
  const flag = { at: Date.now(), challengeId: "web", verdict: "wrong", near: "former" };
  const flags = [
    { ...flag, teamName: "Ants", countsNow: true },
    { ...flag, teamName: "Bees", countsNow: false },
  ];
  server.replies["/organize/flags"] = [200, { flags, next: null }];
  open("/organize/flags?near=any");
  const row = async (team: string) => (await find("link", team)).closest("tr")?.textContent;
  expect(await row("Ants")).toContain("wrong, a former flag, counts now");
  expect(await row("Bees")).not.toContain("counts now");
});

test("who else looks at a row is said there, in its panel, and to nobody else", async () => {
  open("/organize/teams?team=Otters");
  const panel = await find("region", "Otters");
  const looks = { name: "Grace", object: "team Otters" };
  say({ event: "presence", looks: [looks, looks, { name: "Alan", object: null }] });
  expect(await within(panel).findByText("Grace looks at this")).toBeTruthy();
  expect(screen.getByTitle("Grace looks at this").closest("tr")?.textContent).toContain("Otters");
  expect(screen.queryByText(/Alan/)).toBeNull();
  say({ event: "presence", looks: [] });
  await waitFor(() => expect(screen.queryByText(/Grace/)).toBeNull());
});

test("an action of a colleague reads what it may have changed", async () => {
  open("/organize/teams");
  await find("link", "Otters");
  const banned = { ...OTTERS, standing: "banned" };
  server.replies["/organize/teams"] = [200, { teams: [banned], total: 1, next: null }];
  say({ event: "changed", lists: ["teams", "actions"] });
  const table = screen.getByRole("table");
  expect(await within(table).findByText("banned", {}, { timeout: 1000 })).toBeTruthy();
});

test("a team's story is a time line with a filter of kinds, in the address", async () => {
  const { user } = open("/organize/teams?team=Otters&story=login");
  const panel = await find("region", "Otters");
  expect(await within(panel).findByText(/from 192.0.2.7, 3 times/, {}, PATIENT)).toBeTruthy();
  expect(within(panel).queryByText("a decoy")).toBeNull();
  await user.selectOptions(within(panel).getByLabelText("What happened"), "");
  expect(await within(panel).findByText("a decoy")).toBeTruthy();
  expect(within(panel).getByText('Ada hid "Otters".')).toBeTruthy();
  expect(window.location.search).toBe("?team=Otters");
});

test("until a team's story is read, nothing of the team before it is in its panel", async () => {
  const ants = { ...OTTERS, teamName: "Ants", email: "ants@example.org" };
  open("/organize/teams?team=Otters");
  expect(await within(await find("region", "Otters")).findByText('Ada hid "Otters".')).toBeTruthy();
  const answers: (() => void)[] = [];
  const fetched = window.fetch;
  window.fetch = async (request) => {
    const isOfAnts = request instanceof Request && request.url.endsWith("/teams/Ants");
    if (isOfAnts) await new Promise<void>((resolve) => answers.push(resolve));
    return fetched(request);
  };
  server.replies["/organize/teams/Ants"] = [200, { team: ants, story: [], next: null }];
  go("/organize/teams?team=Ants");
  const panel = await find("region", "Ants");
  expect(within(panel).queryByText("otters@example.org")).toBeNull();
  expect(within(panel).queryByText('Ada hid "Otters".')).toBeNull();
  expect(within(panel).queryByRole("button", { name: /^Ban/ })).toBeNull();
  await waitFor(() => expect(answers).toHaveLength(1), PATIENT);
  for (const answer of answers) answer();
  expect(await within(panel).findByText("ants@example.org", {}, PATIENT)).toBeTruthy();
  expect(within(panel).getByRole("button", { name: /^Ban/ })).toBeTruthy();
});

test("evidence has facts with what may explain them, and a state that is an action", async () => {
  const { user } = open("/organize/flags?tab=evidence&state=new&kind=team_flag");
  await user.click(await find("link", /Otters.*Hostile/));
  const panel = await find("region", "Otters, <b>Hostile</b>");
  const said = "Otters sent a flag that is right for <b>Hostile</b> alone";
  expect(await within(panel).findByText(said, {}, PATIENT)).toBeTruthy();
  expect(within(panel).getByText(/passed the flag on/)).toBeTruthy();
  await user.click(within(panel).getByRole("button", { name: /^State/ }));
  const sheet = await find("dialog", /^Set the state of Otters/);
  expect(within(sheet).getByLabelText("State")).toHaveProperty("value", "new");
  await user.selectOptions(within(sheet).getByLabelText("State"), "cleared");
  await user.type(within(sheet).getByLabelText(/^Reason/), "one school{Control>}{Enter}{/Control}");
  await waitFor(() => {
    const action = { action: "evidence.state", team: "Otters", other: "<b>Hostile</b>" };
    const done = { ...action, state: "cleared", reason: "one school" };
    expect(callsTo("/organize/actions").map(({ body }) => body)).toContainEqual(
      expect.objectContaining(done),
    );
  }, PATIENT);
  expect(window.location.search).toContain("tab=evidence&state=new&kind=team_flag&pair=");
});

test("who may not see evidence has no such tab", async () => {
  signedIn(["flag.list", "team.list", "event.overview"], ["support"]);
  open("/organize/flags?tab=evidence");
  expect(await screen.findByText("There is no flag to see yet.", {}, PATIENT)).toBeTruthy();
  expect(screen.queryByRole("link", { name: "Evidence" })).toBeNull();
  expect(callsTo("/organize/evidence")).toHaveLength(0);
});
