/** The download of a backup, which asks for the second factor. */
import { screen, waitFor } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { callsTo, open, PATIENT, type Reply, server } from "../../../stand-in";
import { factorNeeded, needsFactor, OVERVIEW, OWNERS_ACTIONS, signedIn } from "../stand-in";

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

/** The files that were saved: name and content. */
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

test("a backup is saved under its name, after the second factor", async () => {
  needsFactor({ "/organize/backup": FILE });
  const user = await openDialog();
  expect(callsTo("/organize/backup")).toEqual([]);
  await user.click(await find("button", "Download the backup"));
  await user.type(await screen.findByLabelText("Six-digit code", {}, PATIENT), "123456{Enter}");
  expect(await screen.findByText(`The backup is saved as ${NAME}.`, {}, PATIENT)).toBeTruthy();
  expect(saved.map(({ name }) => name)).toEqual([NAME]);
  expect(await saved[0]?.blob.text()).toBe("the bytes of a backup");
  expect(screen.queryByRole("dialog", { name: "Download a backup" })).toBeNull();
});

test("a backup that lacks files says so", async () => {
  const [status, body, headers] = FILE;
  server.replies["/organize/backup"] = [status, body, { ...headers, "X-Left-Out": "2" }];
  const user = await openDialog();
  await user.click(await find("button", "Download the backup"));
  expect(await screen.findByText(/damaged on the server: 2\./, {}, PATIENT)).toBeTruthy();
  expect(saved.length).toBe(1);
});

test("the dialog says that a backup is being made, and asks once", async () => {
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
  const button = await find("button", "Download the backup");
  await user.click(button);
  expect(await screen.findByText("The server is making the backup…", {}, PATIENT)).toBeTruthy();
  expect(button.getAttribute("aria-disabled")).toBe("true");
  await user.click(button);
  expect(asks).toHaveBeenCalledTimes(1);
  answer(new Response("bytes", { status: 200 }));
  await waitFor(() => expect(saved.map(({ name }) => name)).toEqual(["event.backup"]), PATIENT);
});

test("a refused backup is explained in the dialog, and saves nothing", async () => {
  const message = "A backup is being downloaded already; please wait until it has ended.";
  server.replies["/organize/backup"] = [429, { code: "backup_running", message }];
  const user = await openDialog();
  await user.click(await find("button", "Download the backup"));
  expect(await screen.findByText(message, {}, PATIENT)).toBeTruthy();
  expect(saved).toEqual([]);
  server.replies["/organize/backup"] = factorNeeded;
  await user.click(await find("button", "Download the backup"));
  expect(await screen.findByLabelText("Six-digit code", {}, PATIENT)).toBeTruthy();
  expect(saved).toEqual([]);
});

test("who may not download a backup reads nothing of backups", async () => {
  signedIn();
  server.replies["/organize/overview"] = [200, { ...OVERVIEW, health: { lastBackupAt: null } }];
  open("/organize/event");
  await find("button", /^New notice/);
  expect(screen.queryByText(/backup/i)).toBeNull();
});
