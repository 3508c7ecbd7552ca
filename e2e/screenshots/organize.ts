// Screenshots of the organizer pages, for an event with data on each of them.

import { expect, type Page, test } from "@playwright/test";
import { enrol } from "../support/organizer.ts";
import { Program } from "../support/program.ts";
import { EVENT, OURS, open, openChallenges, play, WIDE } from "./event.ts";
import { NARROW, pictures, states, WALL } from "./pictures.ts";

const BANNED = "Bilge Pumps";
const BROKEN = "ten-thousand-keys";
const ASKED = "honest-bouncer";
/** Incorrect flag that exactly two teams submit. */
const RARE = "pier{the_same_typo_twice}";
const SIZES = [WIDE, NARROW, WALL];
/** Time for the metrics to collect samples. */
const WATCHED_MS = 20_000;

/** Runs an action as the signed-in organizer. */
async function action(page: Page, body: Record<string, unknown>): Promise<void> {
  const status = await page.evaluate(async (sent) => {
    const headers = { "Content-Type": "application/json", "X-Organize": "1" };
    const init = { method: "POST", headers, body: JSON.stringify(sent) };
    return (await fetch("/api/organize/actions", init)).status;
  }, body);
  expect(status, JSON.stringify(body)).toBe(200);
}

/** Submits incorrect flags, two of them identical, and asks questions. */
async function trouble(program: Program, tokens: ReadonlyMap<string, string>): Promise<void> {
  // The flags are for the last two challenges, which have no solves.
  for (const team of ["Sextant", "Night Watch"]) {
    for (const { id } of openChallenges().slice(-2)) {
      const body = { challengeId: id, flag: RARE };
      await program.call(tokens.get(team) ?? "", "POST", "/solve", body);
    }
  }
  for (const [team, text] of [
    ["Port 443", "Does the bouncer read cookies? Ours are refused."],
    ["Gull Riders", "Is the key really ten thousand characters long?"],
  ] as const) {
    const body = { challengeId: team === "Port 443" ? ASKED : BROKEN, text };
    await program.call(tokens.get(team) ?? "", "POST", "/question", body);
  }
}

async function actions(page: Page): Promise<void> {
  const note = "The service is down; we look at it.";
  await action(page, { action: "challenge.status", challenge: BROKEN, status: "broken", note });
  const title = "Lunch is served";
  await action(page, { action: "notice.post", title, text: "In the **hall**, until two." });
  await action(page, { action: "team.ban", team: BANNED, reason: "shared flags" });
  const reason = "helped to mend a challenge";
  await action(page, { action: "team.award", team: OURS, points: 25, reason });
}

/** Enrolls an owner and opens the first page. */
async function signIn(page: Page, program: Program): Promise<void> {
  const link = await program.command("organizer", "add", "Ada Byron", "--role", "owner");
  await enrol(page, link.trim());
}

test("while it runs", async ({ page }) => {
  const when = { start: -3600, freeze: 3 * 3600, end: 4 * 3600 };
  const program = await Program.start({ event: EVENT, when });
  await open(page, program, "/organize/sign-in");
  await states(page, "organize-sign-in");
  await signIn(page, program);
  const { tokens } = await play(program, { paceMs: 100, isMixed: true });
  await trouble(program, tokens);
  await actions(page);
  await page.waitForTimeout(WATCHED_MS);
  const now = page.getByRole("link", { name: /unanswered question/ });
  await expect(now.first()).toBeVisible();
  await pictures(page, "organize-overview", SIZES);

  for (const [name, path, known] of [
    ["challenges", `challenges?open=${BROKEN}`, "Test a flag"],
    ["requirements", "challenges?as=graph", "As text"],
    ["teams", "teams", OURS],
    ["story", `teams?team=${encodeURIComponent(OURS)}`, "Activity"],
    ["submissions", "submissions", "Withdraw solve"],
    ["messages", "messages", "Does the bouncer read cookies?"],
    ["notices", "messages?tab=notices", "Lunch is served"],
    ["event", "event", "Timeline"],
    ["settings", "event?tab=settings", "Maximum member names per team"],
    ["texts", "event?tab=texts", "Current rules"],
    ["brand", "event?tab=brand", "Link preview image"],
    ["results", "event?tab=results", "Winners"],
    ["files", "event?tab=files", "Live edits since files were last applied"],
    ["people", "event?tab=people", "Ada Byron"],
    ["account", "account", "Ada Byron"],
    ["audit-log", "audit-log", "shared flags"],
    ["editor", `challenges/${ASKED}/edit`, "Description"],
  ] as const) {
    await open(page, program, `/organize/${path}`);
    await expect(page.getByRole("main").getByText(known).first()).toBeVisible();
    await pictures(page, `organize-${name}`, SIZES);
  }

  await open(page, program, "/organize/submissions?tab=evidence");
  await page.getByRole("link", { name: /Sextant.*Night Watch|Night Watch.*Sextant/ }).click();
  await expect(page.getByText("Innocent explanation:").first()).toBeVisible();
  await pictures(page, "organize-evidence", SIZES);

  await open(page, program, `/organize/teams?team=${encodeURIComponent("Salt and Pepper")}`);
  await page.getByRole("button", { name: "Ban" }).click();
  const sheet = page.getByRole("dialog", { name: "Ban Salt and Pepper" });
  await sheet.getByLabel("Reason").fill("two accounts");
  await expect(sheet.getByRole("button", { name: /moves? up/ })).toBeVisible();
  await pictures(page, "organize-sheet");
  await open(page, program, "/organize");
  await expect(now.first()).toBeVisible();
  await page.keyboard.press("Control+k");
  await page.getByRole("dialog").getByRole("combobox").fill("har");
  await expect(page.getByRole("option").first()).toBeVisible();
  await states(page, "organize-palette");
  await program.stop();
});

test("an event during setup", async ({ page }) => {
  const program = await Program.start({ isBare: true });
  await enrol(page, await program.ownersLink(), /\/organize\/setup$/);
  await page.getByLabel("Event name").fill("Harbour Cup");
  await pictures(page, "organize-setup");
  await program.stop();
});
