/** The team import: preview, confirmation, undo and errors. */
import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import { callsTo, open, PATIENT, type Reply, server } from "../../../fake-server";
import { acted, isListOfActions, OWNERS_ACTIONS, onceThen, signedIn } from "../fake-server";

const FILE = "name,email\nOtters,o@example.org\nCrabs,c@example.org\n";

const PREVIEW = {
  seal: "5ea1",
  unread: null,
  encoding: "UTF-8",
  separator: ",",
  columns: ["name", "email"],
  passedOver: [],
  new: 1,
  there: 1,
  waiting: 0,
  listed: 0,
  blank: 0,
  errors: 0,
  rows: [
    {
      ...{ line: 3, teamName: "Crabs", email: "c@example.org", country: "IT" },
      ...{ student: false, hasPassword: false },
    },
  ],
  problems: [{ line: 2, severity: "note", message: '"Otters" is skipped: already exists' }],
  sendsMail: true,
  mailDays: 7,
};
const NOTHING = { ...PREVIEW, seal: null, new: 0, there: 0, rows: [], problems: [] };
const DONE = { action: 7, sentence: "Ada imported 1 team.", teams: 1, leftOut: 1, mails: 1 };
const CHANGED: Reply = [409, { code: "import_changed", message: "It has changed: look again." }];

beforeEach(() => {
  signedIn([...OWNERS_ACTIONS, "team.import"]);
  server.replies["/organize/imports/preview"] = [200, PREVIEW];
  server.replies["/organize/imports"] = [200, DONE];
});

const find = (role: string, name: string | RegExp) => screen.findByRole(role, { name }, PATIENT);
const text = (words: string | RegExp) => screen.findByText(words, {}, PATIENT);

/** Opens the dialog. */
async function opened() {
  const { user } = open("/organize/teams");
  await user.click(await find("button", "Import teams…"));
  return { user, dialog: await find("dialog", "Import teams from a file") };
}

/** Opens the dialog and chooses a file. */
async function chosen(content: BlobPart = FILE) {
  const { user, dialog } = await opened();
  const field = within(dialog).getByLabelText("CSV file");
  await user.upload(field, new File([content], "teams.csv", { type: "text/csv" }));
  return { user, dialog };
}

test("a file is previewed, imported with its preview's seal, and undone", async () => {
  const { user, dialog } = await chosen();
  expect(await find("heading", "Preview of teams.csv")).toBeTruthy();
  for (const words of ["1 new team", "1 existing team, skipped"]) {
    expect(within(dialog).getByText(words)).toBeTruthy();
  }
  expect(within(dialog).getByText(/UTF-8.*separated by commas/)).toBeTruthy();
  expect(within(dialog).getByRole("rowheader", { name: /Crabs/ })).toBeTruthy();
  expect(within(dialog).getByText(/"Otters" is skipped/)).toBeTruthy();
  expect(callsTo("/organize/imports")).toEqual([]);
  const mail = within(dialog).getByRole("checkbox", { name: /^Email each team a link/ });
  expect(mail).toHaveProperty("checked", false);
  await user.click(mail);
  await user.click(within(dialog).getByRole("button", { name: "Import 1 team" }));
  const title = await find("heading", "1 team imported");
  await waitFor(() => expect(document.activeElement).toBe(title));
  const sent = callsTo("/organize/imports");
  expect(sent.map(({ search }) => search)).toEqual(["?seal=5ea1&mail=true"]);
  expect(sent[0]?.body).toBe(FILE);
  expect(within(dialog).getByText("1 email queued.")).toBeTruthy();
  server.replies["/organize/actions"] = () =>
    isListOfActions() ? [200, { actions: [] }] : acted();
  server.replies["/organize/actions/7/undo"] = acted({ sentence: DONE.sentence });
  await user.click(within(dialog).getByRole("button", { name: "Undo" }));
  expect(await find("heading", "Undo: Ada imported 1 team.")).toBeTruthy();
  await waitFor(() => expect(callsTo("/organize/actions/7/undo").length).toBeGreaterThan(0));
});

test("emails are sent only if chosen, and not offered if they cannot be sent", async () => {
  server.replies["/organize/imports/preview"] = [200, { ...PREVIEW, sendsMail: false }];
  const { user, dialog } = await chosen();
  expect(await text(/^No links can be sent/)).toBeTruthy();
  expect(within(dialog).queryByRole("checkbox")).toBeNull();
  await user.click(within(dialog).getByRole("button", { name: "Import 1 team" }));
  await find("heading", "1 team imported");
  expect(callsTo("/organize/imports")[0]?.search).toBe("?seal=5ea1");
});

test("a file with an outdated preview is previewed again and not imported", async () => {
  const now = { ...PREVIEW, seal: "0ther", new: 2 };
  server.replies["/organize/imports/preview"] = onceThen([200, PREVIEW], [200, now]);
  server.replies["/organize/imports"] = onceThen(CHANGED, [200, DONE]);
  const { user } = await chosen();
  await user.click(await find("button", "Import 1 team"));
  expect(await text("It has changed: look again.")).toBeTruthy();
  await user.click(await find("button", "Import 2 teams"));
  await find("heading", "1 team imported");
  const seals = callsTo("/organize/imports").map(({ search }) => search);
  expect(seals).toEqual(["?seal=5ea1", "?seal=0ther"]);
});

test("an error of a line is shown with it, and nothing can be imported", async () => {
  const problems = [{ line: 4, severity: "error", message: "the email address is missing" }];
  const wrong = { ...PREVIEW, seal: null, errors: 3, problems };
  server.replies["/organize/imports/preview"] = [200, wrong];
  const { dialog } = await chosen();
  expect(await text(/^Nothing is imported while any line has an error/)).toBeTruthy();
  const line = within(dialog).getByText("the email address is missing").closest("li");
  expect(line?.textContent).toBe("Line 4, error: the email address is missing");
  expect(within(dialog).getByText("2 more errors are not listed.")).toBeTruthy();
  expect(within(dialog).queryByRole("button", { name: /^Import \d/ })).toBeNull();
});

test("a file in an unknown encoding is read again in the chosen one", async () => {
  const readings = [{ label: "windows-1251", names: ["Команда"] }];
  const unread = { message: "this is not UTF-8", line: 2, readings };
  server.replies["/organize/imports/preview"] = onceThen(
    [200, { ...NOTHING, encoding: null, separator: null, columns: [], unread }],
    [200, { ...PREVIEW, encoding: "windows-1251" }],
  );
  const { user } = await chosen();
  expect(await text("Команда")).toBeTruthy();
  await user.click(await find("button", "Read as windows-1251"));
  await user.click(await find("button", "Import 1 team"));
  await find("heading", "1 team imported");
  expect(callsTo("/organize/imports/preview")[1]?.search).toBe("?encoding=windows-1251");
  expect(callsTo("/organize/imports")[0]?.search).toBe("?seal=5ea1&encoding=windows-1251");
});

test("a spreadsheet and a file without a new team say so", async () => {
  const unread = { message: "this is a spreadsheet: save it as CSV", line: null, readings: [] };
  const spreadsheet = { ...NOTHING, encoding: null, separator: null, columns: [], unread };
  server.replies["/organize/imports/preview"] = onceThen([200, spreadsheet], [200, NOTHING]);
  const { user, dialog } = await chosen();
  expect(await text(/^this is a spreadsheet/)).toBeTruthy();
  const field = within(dialog).getByLabelText("CSV file");
  await user.upload(field, new File(["name,email\n"], "none.csv"));
  expect(await text(/^The file has no new team/)).toBeTruthy();
  expect(within(dialog).queryByText(/^this is a spreadsheet/)).toBeNull();
});

test("a file that is too large is not sent, and a failed request is reported", async () => {
  server.replies["/organize/imports/preview"] = [503, { code: "overloaded", message: "Busy." }];
  const { user, dialog } = await chosen();
  expect(await within(dialog).findByRole("alert")).toBeTruthy();
  await waitFor(() => expect(callsTo("/organize/imports/preview")).toHaveLength(1));
  const large = new File(["x"], "large.csv");
  Object.defineProperty(large, "size", { value: 16 * 1024 ** 2 + 1 });
  await user.upload(within(dialog).getByLabelText("CSV file"), large);
  expect(await text(/^This file is larger than 16 MiB/)).toBeTruthy();
  expect(callsTo("/organize/imports/preview")).toHaveLength(1);
});

test("a file can be dropped", async () => {
  const { dialog } = await opened();
  const into = within(dialog).getByLabelText("CSV file");
  const files = [new File([FILE], "dropped.csv")];
  fireEvent.drop(into, { dataTransfer: { files, types: ["Files"] } });
  expect(await find("heading", "Preview of dropped.csv")).toBeTruthy();
});

test("without permission there is no import button", async () => {
  signedIn(OWNERS_ACTIONS, ["support"]);
  open("/organize/teams");
  expect(await find("link", "Otters")).toBeTruthy();
  expect(screen.queryByRole("button", { name: "Import teams…" })).toBeNull();
});
