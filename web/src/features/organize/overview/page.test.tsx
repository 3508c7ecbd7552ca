/** The Overview page: what needs attention after the end. */
import { screen } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import { open, PATIENT, server } from "../../../fake-server";
import { OVERVIEW, OWNERS_ACTIONS, signedIn } from "../fake-server";

beforeEach(() => signedIn());

const ENDED = { ...OVERVIEW, status: "ended", end: Date.now() - 60_000 };
const find = (role: string, name: string | RegExp) => screen.findByRole(role, { name }, PATIENT);
const reminder = () => screen.queryByRole("link", { name: /still frozen: reveal/ });

test("after the end a due reveal comes first, with its button", async () => {
  server.replies["/organize/overview"] = [200, ENDED];
  const { user } = open("/organize");
  await find("link", "2 unanswered questions");
  const links = screen.getAllByRole("link");
  const [first] = links.filter((link) => link.hasAttribute("data-row"));
  expect(first).toBe(reminder());
  expect(first?.getAttribute("href")).toBe("/organize/ceremony");
  await user.click(screen.getByRole("button", { name: "Reveal scoreboard" }));
  expect(await find("dialog", "Reveal the scoreboard of Harbour CTF")).toBeTruthy();
});

test("with a manual reveal the ceremony is the main button, the reveal a second one", async () => {
  signedIn([...OWNERS_ACTIONS, "event.ceremony"]);
  server.info.revealAtEnd = false;
  server.replies["/organize/overview"] = [200, ENDED];
  open("/organize");
  const start = await find("link", "Start the ceremony");
  expect(start.getAttribute("href")).toBe("/organize/ceremony");
  expect(screen.getByRole("button", { name: "Reveal scoreboard" })).toBeTruthy();
  expect(reminder()).toBeNull();
});

test("before the start, open preparations are not called nothing", async () => {
  signedIn([...OWNERS_ACTIONS, "settings.read"]);
  const overview = { ...OVERVIEW, status: "not_started", openQuestions: 0, isFrozen: false };
  server.replies["/organize/overview"] = [200, overview];
  server.replies["/organize/evidence"] = [200, { at: 1, pairs: [], more: 0 }];
  open("/organize");
  expect(await screen.findByText(/^No warnings. Still open before/, {}, PATIENT)).toBeTruthy();
  expect(screen.queryByText("Nothing needs attention.")).toBeNull();
});

test("no reveal before the end, after the reveal, or without permission", async () => {
  const opened = async (overview: object, actions = OWNERS_ACTIONS) => {
    signedIn(actions);
    server.replies["/organize/overview"] = [200, overview];
    const { unmount } = open("/organize");
    await find("link", "2 unanswered questions");
    expect(reminder()).toBeNull();
    expect(screen.queryByRole("button", { name: "Reveal scoreboard" })).toBeNull();
    unmount();
  };
  await opened(OVERVIEW);
  await opened({ ...ENDED, isFrozen: false, isRevealed: true });
  await opened(
    ENDED,
    OWNERS_ACTIONS.filter((action) => action !== "event.reveal"),
  );
});

test("only owners see the old-backup warning, with the download", async () => {
  const cure = "`systemctl start flagship-backup`";
  const old = { code: "backup_old", message: "There was no backup in the last hour.", cure };
  const altered = { code: "journal_altered", message: "The journal was changed.", cure: "" };
  const overview = { ...OVERVIEW, health: { lastBackupAt: null }, warnings: [old, altered] };
  signedIn([...OWNERS_ACTIONS, "event.backup"]);
  server.replies["/organize/overview"] = [200, overview];
  const { unmount } = open("/organize");
  expect(await screen.findByText(/no backup in the last hour/, {}, PATIENT)).toBeTruthy();
  const item = screen.getByRole("link", { name: /no backup in the last hour/ });
  expect(item.getAttribute("href")).toBe("/organize/event");
  expect(screen.getByRole("button", { name: "Download a backup…" })).toBeTruthy();
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

test("a question is answered from its item, and a calm page says what it checked", async () => {
  const question = { id: 7, at: 1, state: "open", teamName: "Otters", text: "How?" };
  server.replies["/organize/questions"] = [200, { questions: [question] }];
  const { user, unmount } = open("/organize");
  await user.click(await find("button", "Answer"));
  expect(await find("dialog", /Otters/)).toBeTruthy();
  unmount();
  server.replies["/organize/overview"] = [200, { ...OVERVIEW, openQuestions: 0 }];
  server.replies["/organize/evidence"] = [200, { at: 1, pairs: [], more: 0 }];
  open("/organize");
  expect(await screen.findByText("Nothing needs attention.", {}, PATIENT)).toBeTruthy();
  expect(screen.getByText(/^Checked at .*: questions, challenges, email/)).toBeTruthy();
});

test("before the start the page lists the open items for the day", async () => {
  signedIn([...OWNERS_ACTIONS, "settings.read", "organizer.list"]);
  const settings = {
    ...{ event: null, rules: null, rulesFromFiles: false, secrets: {}, fixed: {}, pages: [] },
    sections: { mail: { transport: "file" }, captcha: { provider: "altcha" } },
  };
  server.replies["/organize/settings"] = [200, settings];
  server.replies["/organize/overview"] = [200, { ...OVERVIEW, status: "not_started" }];
  open("/organize");
  const rules = await find("link", "The rules are empty");
  expect(rules.getAttribute("href")).toBe("/organize/setup?step=rules");
  expect(screen.getByText("The captcha is on")).toBeTruthy();
  expect(screen.queryByRole("heading", { name: "Challenges to watch" })).toBeNull();
});

test("the activity can be limited to solves or actions, and has quiet undo buttons", async () => {
  const flag = { at: Date.now(), teamName: "Otters", challengeId: "web", verdict: "right" };
  server.replies["/organize/flags"] = [200, { flags: [flag], next: null }];
  const { user } = open("/organize");
  expect(await find("link", "Crumbs")).toBeTruthy();
  expect(screen.getByRole("button", { name: /^Undo/ })).toBeTruthy();
  await user.click(screen.getByRole("link", { name: "Solves" }));
  expect(screen.queryByRole("button", { name: /^Undo/ })).toBeNull();
  expect(window.location.search).toBe("?activity=solves");
});
