/** The team list: opening by search, and row actions. */
import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import { callsTo, open, PATIENT, type Reply, server } from "../../../fake-server";
import { acted, OTTERS, signedIn } from "../fake-server";

beforeEach(() => signedIn());

const find = (role: string, name: string | RegExp) => screen.findByRole(role, { name }, PATIENT);
const address = () => window.location.pathname + window.location.search;

test("a single search result opens during typing, and Esc closes it", async () => {
  const crabs = { ...OTTERS, teamName: "Crabs" };
  server.replies["/organize/teams"] = () => {
    const isSearch = callsTo("/organize/teams").at(-1)?.search.includes("q=");
    const teams = isSearch ? [OTTERS] : [OTTERS, crabs];
    return [200, { teams, total: teams.length, next: null }];
  };
  const { user } = open("/organize/teams");
  await find("link", "Crabs");
  expect(screen.queryByRole("region", { name: "Otters" })).toBeNull();
  const search = await find("searchbox", "Search");
  await user.type(search, "ott");
  const panel = await find("region", "Otters");
  expect(document.activeElement).toBe(search);
  expect(address()).toBe("/organize/teams?q=ott");
  await user.keyboard("{Enter}");
  expect(panel.contains(document.activeElement)).toBe(true);
  expect(await within(panel).findByText(/^Ada hid/, {}, PATIENT)).toBeTruthy();
  await user.keyboard("s");
  expect(document.activeElement?.textContent).toBe("Activity");
  await user.keyboard("{Escape}");
  await waitFor(() => expect(address()).toBe("/organize/teams"));
  expect(screen.queryByRole("region", { name: "Otters" })).toBeNull();
});

test("a search without results does not report later that there are no teams", async () => {
  const nothing = { teams: [], total: 0, next: null };
  const isSearch = () => callsTo("/organize/teams").at(-1)?.search.includes("q=");
  let all: Reply = [500, { code: "internal_error" }];
  server.replies["/organize/teams"] = () => (isSearch() ? [200, nothing] : all);
  const { user } = open("/organize/teams?q=nobody");
  expect(await screen.findByText("No matching teams", {}, PATIENT)).toBeTruthy();
  await user.clear(await find("searchbox", "Search"));
  await waitFor(() => expect(isSearch()).toBe(false));
  expect(screen.queryByText("No teams yet")).toBeNull();
  all = [200, nothing];
  expect(await screen.findByText("No teams yet", {}, PATIENT)).toBeTruthy();
});

test("a confirmation email is resent from its row at once", async () => {
  const waiting = { ...OTTERS, standing: "unconfirmed", truth: null, public: null };
  server.replies["/organize/teams"] = [200, { teams: [waiting], total: 1, next: null }];
  server.replies["/organize/actions"] = acted({ sentence: "Ada mailed a link.", undo: null });
  const { user } = open("/organize/teams");
  await user.click(await find("button", "Resend confirmation: Otters"));
  expect(await screen.findByText(/^Ada mailed a link\./, {}, PATIENT)).toBeTruthy();
  expect(callsTo("/organize/actions").flatMap(({ body }) => (body ? [body] : []))).toEqual([
    { action: "team.resend", team: "Otters", reason: "The team did not receive the link." },
  ]);
  expect(screen.queryByRole("dialog")).toBeNull();
});

test("an incorrect flag in a team's activity has no count of all teams", async () => {
  open("/organize/teams?team=Otters");
  const region = await screen.findByRole("region", { name: "Otters" }, PATIENT);
  const line = (await within(region).findByText("incorrect flag", { selector: "strong" }, PATIENT))
    .parentElement;
  expect(line?.textContent).not.toMatch(/times/);
  expect(within(region).getByText(/, 3 times/)).toBeTruthy();
});
