/** Erasing the personal data of all teams, confirmed by the event name. */
import { screen, within } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import { callsTo, open, PATIENT, server } from "../../../fake-server";
import { needsFactor, OVERVIEW, OWNERS_ACTIONS, signedIn } from "../fake-server";

const find = (role: string, name: string | RegExp) => screen.findByRole(role, { name }, PATIENT);
const ROW = { table: "accounts", hours: null, until: null };
const KEPT = [
  { ...ROW, what: "address", rows: 40, stays: false },
  { ...ROW, what: "name", rows: 50, stays: true },
  { ...ROW, table: "notes", what: "notes", rows: 2, stays: false },
];
const BUTTON = "Erase personal data of all teams";

const calls = () => callsTo("/organize/privacy/erase").map(({ body }) => body);

beforeEach(() => {
  signedIn([...OWNERS_ACTIONS, "privacy.show", "privacy.erase"]);
  server.replies["/ctftime"] = [200, { tasks: [], standings: [] }];
});

async function openDialog(isOver: boolean) {
  server.replies["/organize/privacy"] = [200, { team: null, teams: 50, isOver, kept: KEPT }];
  const { user } = open("/organize/event?tab=results");
  await user.click(await find("button", "Erase personal data…"));
  const dialog = within(await find("dialog", "Personal data of all teams"));
  return { user, dialog };
}

test("the dialog shows the counts, and requires the event's name and a checkbox", async () => {
  server.replies["/organize/privacy/erase"] = [200, { rows: 42 }];
  const { user, dialog } = await openDialog(false);
  const count = "Teams: 50. Rows to erase: 42.";
  expect(await dialog.findByText(count, {}, PATIENT)).toBeTruthy();
  expect(callsTo("/organize/privacy")[0]?.search).toBe("");
  const name = dialog.getByLabelText("Type Harbour CTF to confirm");
  const erase = dialog.getByRole("button", { name: BUTTON });
  await user.type(name, "harbour ctf");
  await user.click(erase);
  expect(await dialog.findByText("Type the name exactly as shown.")).toBeTruthy();
  await user.clear(name);
  await user.type(name, "Harbour CTF");
  await user.click(erase);
  expect(await dialog.findByText(/Check the box to erase the data now/)).toBeTruthy();
  expect(calls()).toEqual([]);
  await user.click(dialog.getByRole("checkbox"));
  await user.click(erase);
  expect(await screen.findByText("Erased. Rows: 42.", {}, PATIENT)).toBeTruthy();
  expect(calls()).toEqual([{ confirm: "Harbour CTF", beforeEnd: true }]);
});

test("after the end no checkbox is needed, but a two-factor code", async () => {
  needsFactor({ "/organize/privacy/erase": [200, { rows: 1 }] });
  const { user, dialog } = await openDialog(true);
  await user.type(await dialog.findByLabelText(/to confirm$/, {}, PATIENT), "Harbour CTF");
  expect(dialog.queryByRole("checkbox")).toBeNull();
  await user.click(dialog.getByRole("button", { name: BUTTON }));
  await user.type(await screen.findByLabelText("Six-digit code", {}, PATIENT), "123456{Enter}");
  expect(await screen.findByText("Erased. Rows: 1.", {}, PATIENT)).toBeTruthy();
  expect(calls().at(-1)).toEqual({ confirm: "Harbour CTF", beforeEnd: false });
});

test("without permission or an event name there is no erasure card", async () => {
  signedIn();
  const { unmount } = open("/organize/event?tab=results");
  await find("heading", "Exports");
  expect(screen.queryByRole("heading", { name: "Personal data of all teams" })).toBeNull();
  unmount();
  signedIn([...OWNERS_ACTIONS, "privacy.show", "privacy.erase"]);
  server.replies["/organize/overview"] = [200, { ...OVERVIEW, name: "" }];
  open("/organize/event?tab=results");
  await find("heading", "Exports");
  expect(screen.queryByRole("heading", { name: "Personal data of all teams" })).toBeNull();
});
