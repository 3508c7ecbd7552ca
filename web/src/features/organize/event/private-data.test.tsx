/** The erasure of the private data of all teams, which the event's name confirms. */
import { screen, within } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import { callsTo, open, PATIENT, server } from "../../../stand-in";
import { needsFactor, OVERVIEW, OWNERS_ACTIONS, signedIn } from "../stand-in";

const find = (role: string, name: string | RegExp) => screen.findByRole(role, { name }, PATIENT);
const ROW = { table: "accounts", hours: null, until: null };
const KEPT = [
  { ...ROW, what: "address", rows: 40, stays: false },
  { ...ROW, what: "name", rows: 50, stays: true },
  { ...ROW, table: "notes", what: "notes", rows: 2, stays: false },
];
const BUTTON = "Erase the private data of all teams";

const calls = () => callsTo("/organize/privacy/erase").map(({ body }) => body);

beforeEach(() => {
  signedIn([...OWNERS_ACTIONS, "privacy.show", "privacy.erase"]);
  server.replies["/ctftime"] = [200, { tasks: [], standings: [] }];
});

async function openDialog(isOver: boolean) {
  server.replies["/organize/privacy"] = [200, { team: null, teams: 50, isOver, kept: KEPT }];
  const { user } = open("/organize/event?tab=results");
  await user.click(await find("button", "Erase the private data…"));
  const dialog = within(await find("dialog", "Private data of all teams"));
  return { user, dialog };
}

test("the dialog says how many teams and rows, and wants the event's name and a tick", async () => {
  server.replies["/organize/privacy/erase"] = [200, { rows: 42 }];
  const { user, dialog } = await openDialog(false);
  const count = "Teams: 50. Rows that an erasure takes: 42.";
  expect(await dialog.findByText(count, {}, PATIENT)).toBeTruthy();
  expect(callsTo("/organize/privacy")[0]?.search).toBe("");
  const name = dialog.getByLabelText("To confirm, type Harbour CTF");
  const erase = dialog.getByRole("button", { name: BUTTON });
  await user.type(name, "harbour ctf");
  await user.click(erase);
  expect(await dialog.findByText("Type the name exactly as it is shown.")).toBeTruthy();
  await user.clear(name);
  await user.type(name, "Harbour CTF");
  await user.click(erase);
  expect(await dialog.findByText(/Tick the box to erase it now/)).toBeTruthy();
  expect(calls()).toEqual([]);
  await user.click(dialog.getByRole("checkbox"));
  await user.click(erase);
  expect(await screen.findByText("Erased. Rows: 42.", {}, PATIENT)).toBeTruthy();
  expect(calls()).toEqual([{ confirm: "Harbour CTF", beforeEnd: true }]);
});

test("after the end no tick is needed, but the second factor", async () => {
  needsFactor({ "/organize/privacy/erase": [200, { rows: 1 }] });
  const { user, dialog } = await openDialog(true);
  await user.type(await dialog.findByLabelText(/^To confirm/, {}, PATIENT), "Harbour CTF");
  expect(dialog.queryByRole("checkbox")).toBeNull();
  await user.click(dialog.getByRole("button", { name: BUTTON }));
  await user.type(await screen.findByLabelText("Six-digit code", {}, PATIENT), "123456{Enter}");
  expect(await screen.findByText("Erased. Rows: 1.", {}, PATIENT)).toBeTruthy();
  expect(calls().at(-1)).toEqual({ confirm: "Harbour CTF", beforeEnd: false });
});

test("who may not erase, and an event without a name, have no card for it", async () => {
  signedIn();
  const { unmount } = open("/organize/event?tab=results");
  await find("heading", "Exports");
  expect(screen.queryByRole("heading", { name: "Private data of all teams" })).toBeNull();
  unmount();
  signedIn([...OWNERS_ACTIONS, "privacy.show", "privacy.erase"]);
  server.replies["/organize/overview"] = [200, { ...OVERVIEW, name: "" }];
  open("/organize/event?tab=results");
  await find("heading", "Exports");
  expect(screen.queryByRole("heading", { name: "Private data of all teams" })).toBeNull();
});
