/** The page Now: what waits after the end. */
import { screen } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import { open, PATIENT, server } from "../../../stand-in";
import { OVERVIEW, OWNERS_ACTIONS, signedIn } from "../stand-in";

beforeEach(() => signedIn());

const ENDED = { ...OVERVIEW, status: "ended", end: Date.now() - 60_000 };
const find = (role: string, name: string | RegExp) => screen.findByRole(role, { name }, PATIENT);
const reminder = () => screen.queryByRole("link", { name: /still frozen: reveal/ });

test("after the end a reveal that is due comes first, and its button is there", async () => {
  server.replies["/organize/overview"] = [200, ENDED];
  const { user } = open("/organize");
  await find("link", "2 questions wait for an answer");
  const links = screen.getAllByRole("link");
  const [first] = links.filter((link) => link.hasAttribute("data-row"));
  expect(first).toBe(reminder());
  expect(first?.getAttribute("href")).toBe("/organize/event");
  await user.click(screen.getByRole("button", { name: "Reveal" }));
  expect(await find("dialog", "Reveal Harbour CTF")).toBeTruthy();
});

test("nothing of it before the end, after the reveal, and for who may not reveal", async () => {
  const opened = async (overview: object, actions = OWNERS_ACTIONS) => {
    signedIn(actions);
    server.replies["/organize/overview"] = [200, overview];
    const { unmount } = open("/organize");
    await find("link", "2 questions wait for an answer");
    expect(reminder()).toBeNull();
    expect(screen.queryByRole("button", { name: "Reveal" })).toBeNull();
    unmount();
  };
  await opened(OVERVIEW);
  await opened({ ...ENDED, isFrozen: false, isRevealed: true });
  await opened(
    ENDED,
    OWNERS_ACTIONS.filter((action) => action !== "event.reveal"),
  );
});

test("the warning of an old backup is for owners, and leads to the download", async () => {
  const cure = "`systemctl start flagship-backup`";
  const old = { code: "backup_old", message: "There was no backup in the last hour.", cure };
  const altered = { code: "journal_altered", message: "The journal was changed.", cure: "" };
  const overview = { ...OVERVIEW, health: { lastBackupAt: null }, warnings: [old, altered] };
  signedIn([...OWNERS_ACTIONS, "event.backup"]);
  server.replies["/organize/overview"] = [200, overview];
  const { unmount } = open("/organize");
  expect(await screen.findByText(/no backup in the last hour/, {}, PATIENT)).toBeTruthy();
  const link = screen.getByRole("link", { name: "Download a backup…" });
  expect(link.getAttribute("href")).toBe("/organize/event");
  unmount();
  signedIn(OWNERS_ACTIONS, ["author"]);
  server.replies["/organize/overview"] = [200, overview];
  const { unmount: close } = open("/organize");
  expect(await screen.findByText(/journal was changed/, {}, PATIENT)).toBeTruthy();
  expect(screen.queryByText(/backup/i)).toBeNull();
  close();
  open("/organize/event");
  await find("button", /^New notice/);
  expect(screen.queryByText(/backup/i)).toBeNull();
});
