/** Live updates: a hint refetches the lists that it names, and no others. */
import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import { callsTo, open, PATIENT, say, server } from "../../../fake-server";
import { go } from "../../../navigate";
import { OTTERS, signedIn } from "../fake-server";

beforeEach(() => signedIn());

const find = (role: string, name: string | RegExp) => screen.findByRole(role, { name }, PATIENT);
const ALL = ["overview", "challenges", "teams", "story", "flags", "actions"];

test("submissions appear after a hint, without other lists being fetched", async () => {
  open("/organize/submissions?verdict=wrong");
  expect(await screen.findByText("No matching submissions", {}, PATIENT)).toBeTruthy();
  say({ event: "changed", lists: ALL });
  await waitFor(() => expect(callsTo("/organize/flags").length).toBeGreaterThan(1), PATIENT);
  const asked = callsTo("/organize/overview").length;
  const flag = { at: Date.now(), teamName: "Ants", challengeId: "web", countsNow: false };
  const flags = [{ ...flag, verdict: "wrong", near: "decoy" }];
  server.replies["/organize/flags"] = [200, { flags, next: null }];
  say({ event: "changed", lists: ["flags"] });
  const row = (await find("link", "Ants")).closest("tr");
  expect(row?.textContent).toContain("Incorrect, decoy");
  expect(row?.getAttribute("aria-rowindex")).toBe("2");
  expect(screen.getByRole("table").getAttribute("aria-rowcount")).toBe("2");
  expect(callsTo("/organize/overview")).toHaveLength(asked);
});

test("a rejudged near miss is shown as correct", async () => {
  const flag = { at: Date.now(), challengeId: "web", verdict: "wrong", near: "former" };
  const flags = [
    { ...flag, teamName: "Ants", countsNow: true },
    { ...flag, teamName: "Bees", countsNow: false },
  ];
  server.replies["/organize/flags"] = [200, { flags, next: null }];
  open("/organize/submissions?near=any");
  const row = async (team: string) => (await find("link", team)).closest("tr")?.textContent;
  expect(await row("Ants")).toContain("Incorrect, former flag, counts now");
  expect(await row("Bees")).not.toContain("counts now");
});

test("other viewers of a row are named in the row and its panel only", async () => {
  open("/organize/teams?team=Otters");
  const panel = await find("region", "Otters");
  const looks = { name: "Grace", object: "team Otters" };
  say({ event: "presence", looks: [looks, looks, { name: "Alan", object: null }] });
  expect(await within(panel).findByText("Grace is viewing this")).toBeTruthy();
  expect(screen.getByTitle("Grace is viewing this").closest("tr")?.textContent).toContain("Otters");
  expect(screen.queryByText(/Alan/)).toBeNull();
  say({ event: "presence", looks: [] });
  await waitFor(() => expect(screen.queryByText(/Grace/)).toBeNull());
});

test("another organizer's action refetches the lists that it can change", async () => {
  open("/organize/teams");
  await find("link", "Otters");
  // With the channel, lists are polled less often than the test waits.
  say({ event: "changed", lists: ALL });
  await waitFor(() => expect(callsTo("/organize/teams").length).toBeGreaterThan(1), PATIENT);
  const banned = { ...OTTERS, standing: "banned" };
  server.replies["/organize/teams"] = [200, { teams: [banned], total: 1, next: null }];
  say({ event: "changed", lists: ["teams", "actions"] });
  const table = screen.getByRole("table");
  expect(await within(table).findByText("Banned", {}, PATIENT)).toBeTruthy();
});

test("a team's activity is a timeline with a filter by kind in the URL", async () => {
  const { user } = open("/organize/teams?team=Otters&story=login");
  const panel = await find("region", "Otters");
  expect(await within(panel).findByText(/from 192.0.2.7, 3 times/, {}, PATIENT)).toBeTruthy();
  expect(within(panel).queryByText("decoy")).toBeNull();
  await user.selectOptions(within(panel).getByLabelText("Type"), "");
  expect(await within(panel).findByText("decoy")).toBeTruthy();
  expect(within(panel).getByText('Ada hid "Otters".')).toBeTruthy();
  expect(window.location.search).toBe("?team=Otters");
});

test("a panel that is loading shows nothing of the previous team", async () => {
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

test("evidence has signals with innocent explanations, and a state set by an action", async () => {
  const { user } = open("/organize/submissions?tab=evidence&state=new&kind=team_flag");
  await user.click(await find("link", /Otters.*Hostile/));
  const panel = await find("region", "Otters, <b>Hostile</b>");
  const said = "Otters submitted the per-team flag of <b>Hostile</b>";
  expect(await within(panel).findByText(said, {}, PATIENT)).toBeTruthy();
  expect(within(panel).getByText(/passed the flag on/)).toBeTruthy();
  await user.click(within(panel).getByRole("button", { name: /^Review/ }));
  const sheet = await find("dialog", /^Review evidence on Otters/);
  expect(within(sheet).getByLabelText("Review status")).toHaveProperty("value", "new");
  await user.selectOptions(within(sheet).getByLabelText("Review status"), "cleared");
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

test("without permission there is no Evidence tab", async () => {
  signedIn(["flag.list", "team.list", "event.overview"], ["support"]);
  open("/organize/submissions?tab=evidence");
  expect(await screen.findByText("No submissions yet", {}, PATIENT)).toBeTruthy();
  expect(screen.queryByRole("link", { name: "Evidence" })).toBeNull();
  expect(callsTo("/organize/evidence")).toHaveLength(0);
});
