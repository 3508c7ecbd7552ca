/** Downloading a backup, which needs a two-factor code. */
import { screen, waitFor } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { callsTo, open, PATIENT, type Reply, server } from "../../../fake-server";
import { factorNeeded, needsFactor, OVERVIEW, OWNERS_ACTIONS, signedIn } from "../fake-server";

const find = (role: string, name: string | RegExp) => screen.findByRole(role, { name }, PATIENT);
const NAME = "Harbour_CTF-2026-11-28-140500.backup";
const FILE: Reply = [
  200,
  "the bytes of a backup",
  {
    "Content-Type": "application/octet-stream",
    "Content-Disposition": `attachment; filename="${NAME}"`,
  },
];

/** Saved files: name and content. */
const saved: { name: string; blob: Blob }[] = [];

beforeEach(() => {
  signedIn([...OWNERS_ACTIONS, "event.backup"]);
  server.replies["/organize/overview"] = [200, { ...OVERVIEW, health: { lastBackupAt: null } }];
  saved.length = 0;
  let made = new Blob();
  vi.spyOn(URL, "createObjectURL").mockImplementation((blob) => {
    made = blob as Blob;
    return "blob:backup";
  });
  vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function (
    this: HTMLAnchorElement,
  ) {
    if (this.href === "blob:backup") saved.push({ name: this.download, blob: made });
  });
});

async function openDialog() {
  const { user } = open("/organize/event");
  await user.click(await find("button", "Download a backup…"));
  await find("dialog", "Download a backup");
  return user;
}

test("a backup is saved under its name, after a two-factor code", async () => {
  needsFactor({ "/organize/backup": FILE });
  const user = await openDialog();
  expect(callsTo("/organize/backup")).toEqual([]);
  await user.click(await find("button", "Download backup"));
  await user.type(await screen.findByLabelText("Six-digit code", {}, PATIENT), "123456{Enter}");
  expect(await screen.findByText(`Backup saved as ${NAME}.`, {}, PATIENT)).toBeTruthy();
  expect(saved.map(({ name }) => name)).toEqual([NAME]);
  expect(await saved[0]?.blob.text()).toBe("the bytes of a backup");
  expect(screen.queryByRole("dialog", { name: "Download a backup" })).toBeNull();
});

test("a backup with missing files is reported", async () => {
  const [status, body, headers] = FILE;
  server.replies["/organize/backup"] = [status, body, { ...headers, "X-Left-Out": "2" }];
  const user = await openDialog();
  await user.click(await find("button", "Download backup"));
  expect(await screen.findByText(/missing on the server: 2\./, {}, PATIENT)).toBeTruthy();
  expect(saved.length).toBe(1);
});

test("the dialog shows progress, and sends one request", async () => {
  let answer = (_: Response) => {};
  const answered = new Promise<Response>((resolve) => {
    answer = resolve;
  });
  const asks = vi.fn(() => answered);
  const before = globalThis.fetch;
  vi.stubGlobal("fetch", (request: Request) =>
    request.url.endsWith("/organize/backup") ? asks() : before(request),
  );
  const user = await openDialog();
  const button = await find("button", "Download backup");
  await user.click(button);
  expect(await screen.findByText("Creating the backup…", {}, PATIENT)).toBeTruthy();
  expect(button.getAttribute("aria-disabled")).toBe("true");
  await user.click(button);
  expect(asks).toHaveBeenCalledTimes(1);
  answer(new Response("bytes", { status: 200 }));
  await waitFor(() => expect(saved.map(({ name }) => name)).toEqual(["event.backup"]), PATIENT);
});

test("a failed backup is explained in the dialog, and saves nothing", async () => {
  const message = "Another backup is being downloaded. Wait until it is complete.";
  server.replies["/organize/backup"] = [429, { code: "backup_running", message }];
  const user = await openDialog();
  await user.click(await find("button", "Download backup"));
  expect(await screen.findByText(message, {}, PATIENT)).toBeTruthy();
  expect(saved).toEqual([]);
  server.replies["/organize/backup"] = factorNeeded;
  await user.click(await find("button", "Download backup"));
  expect(await screen.findByLabelText("Six-digit code", {}, PATIENT)).toBeTruthy();
  expect(saved).toEqual([]);
});

test("without permission backups are not mentioned", async () => {
  signedIn();
  server.replies["/organize/overview"] = [200, { ...OVERVIEW, health: { lastBackupAt: null } }];
  open("/organize/event");
  await find("button", /^New notice/);
  expect(screen.queryByText(/backup/i)).toBeNull();
});
