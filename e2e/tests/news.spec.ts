// Notices, statuses and questions: the effect of each command on open pages.

import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Locator, Page } from "@playwright/test";
import { expectSound, tooWidePx } from "../support/page-checks.ts";
import { card, expectLive, submitFlag } from "../support/player.ts";
import type { Program } from "../support/program.ts";
import { enter, expect, newTeam, test } from "../support/test.ts";

const OARS = "First at the oars";
/**
 * Maximum delay of a message of the live channel on a busy machine, below the interval in which
 * pages without the channel poll.
 */
const LIVE_MS_MAX = 4_000;
/** Maximum delay of changes in a snapshot, which clients fetch with two seconds of jitter. */
const CHANGED_MS_MAX = 6_000;
/** Maximum delay of an answer, which is polled every ten seconds. */
const ANSWER_MS_MAX = 15_000;
/** Release time of the second hint, from the start of the test. */
const HINT_MS = 15_000;

function oars(hintAt: string): string {
  return `name: ${OARS}
id: oars
category: Misc
description: Whoever is first gets most.
type: speedrun
extra: {values: [150, 100, 50]}
flags: ["flag{r0w}"]
hints: [Look up., {content: Look down., at: "${hintAt}"}]
`;
}

const action = (program: Program, ...words: string[]) => program.command("action", ...words);
const about = ["--challenge", "oars"];

function newsLink(page: Page): Locator {
  return page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: /^News/ });
}

async function askAndHear(page: Page, program: Program, token: string): Promise<void> {
  const challenge = card(page, OARS);
  await challenge.getByText("Ask the organizers").click();
  await challenge.getByRole("textbox", { name: `Ask about ${OARS}` }).fill("Is it <b>warm</b>?");
  await challenge.getByRole("button", { name: "Send question" }).click();
  const asked = challenge.getByRole("list", { name: /questions about/ });
  await expect(asked).toHaveText(/^Asked at \d\d:\d\d, not answered yetIs it <b>warm<\/b>\?$/);
  await expectSound(page, "card-question");
  const { questions } = await (await program.call(token, "GET", "/questions")).json();
  const id = String(questions[0].id);
  await action(program, "question.answer", "--question", id, "--text", "Yes, <i>very</i>.");
  await expect(asked).toContainText("Yes, <i>very</i>.", { timeout: ANSWER_MS_MAX });
  await expect(asked).toContainText(/answered at \d\d:\d\d/);
}

test("organizer messages reach a player's open page; a question is answered", async ({
  page,
  serve,
  visitor,
  complaints,
}, info) => {
  test.slow();
  complaints.allow(/status of 403/);
  const hintAt = new Date(Date.now() + HINT_MS).toISOString();
  const program = await serve({ files: { "challenges/oars/challenge.yml": oars(hintAt) } });
  const team = await newTeam(program);
  await enter(page, program, team);
  await page.goto(`${program.url}/challenge?open=oars`);
  await expectLive(page);
  const challenge = card(page, OARS);
  const hints = challenge.getByRole("list", { name: "Hints" }).getByRole("listitem");
  await expect(hints).toHaveText([/^Hint 1/, /^Hint 2, available at \d\d:\d\d$/]);
  await expect(newsLink(page)).toHaveCount(0);

  // A notice is urgent, appears on its card, is edited, and is dismissed.
  const words = ["--title", "Doors close", "--text", "At **noon**."];
  const posted = await action(program, "notice.post", ...words, ...about, "--urgent");
  const notice = ["--notice", posted.match(/^notice (\d+)$/m)?.[1] ?? ""];
  const banner = page.getByRole("alert").filter({ hasText: "Doors" });
  await expect(banner).toHaveText(/^Doors close\s*At noon\.\s*$/, { timeout: LIVE_MS_MAX });
  await expect(challenge.getByRole("article", { name: "Doors close" })).toBeVisible();
  await expect(newsLink(page)).toHaveText("News (1 unread)");
  const others = await visitor(program.url);
  await others.goto("/");
  await expect(others.getByRole("alert").filter({ hasText: "Doors close" })).toBeVisible();
  await expectSound(page, "urgent-notice");
  const corrected = ["--title", "Doors stay open", "--text", "All day."];
  await action(program, "notice.correct", ...notice, ...corrected);
  await expect(banner).toContainText("Doors stay open", { timeout: LIVE_MS_MAX });
  await page.getByRole("button", { name: "Dismiss" }).click();
  await expect(banner).toHaveCount(0);
  await expect(newsLink(page)).toHaveText("News");

  // The challenge status and a timed hint appear.
  const status = ["challenge.status", ...about, "--status", "broken", "--note", "The oar is gone."];
  await action(program, ...status);
  await expect(challenge.getByText("Broken")).toBeVisible({ timeout: LIVE_MS_MAX });
  await expect(challenge.getByText("The oar is gone.")).toBeVisible();
  await expect(hints.nth(1).getByRole("group")).toBeVisible({ timeout: HINT_MS + CHANGED_MS_MAX });
  await hints
    .nth(1)
    .getByText(/^Hint 2, available at/)
    .click();
  await expect(hints.nth(1)).toContainText("Look down.");

  await askAndHear(page, program, team.token);

  // A rejected submission is credited, and the team is notified.
  await submitFlag(challenge, "flag{r0w_n0w}");
  await expect(challenge.getByText(/^Incorrect flag/)).toBeVisible();
  await mkdir(info.outputDir, { recursive: true });
  const fields = join(info.outputDir, "flags.json");
  await writeFile(fields, '{"fields": {"flags": ["flag{r0w}", "flag{r0w_n0w}"]}}');
  await action(program, "challenge.edit", ...about, "--fields", fields);
  // Incorrect flags are recorded in batches.
  await expect(async () => {
    await action(program, "challenge.rejudge", ...about, "--reason", "a correct flag was rejected");
  }).toPass();
  await expect(challenge.getByPlaceholder("flag")).toHaveCount(0, { timeout: CHANGED_MS_MAX });
  await expect(newsLink(page)).toHaveText(/unread/, { timeout: CHANGED_MS_MAX });

  // A pause is announced, and flags are not judged.
  await program.command("event", "pause", "--reason", "the network is down");
  const paused = page.getByText("The CTF is paused. Flags are not accepted until it resumes.");
  await expect(paused).toBeVisible({ timeout: CHANGED_MS_MAX });
  const tide = card(page, "Rising tide");
  await tide.getByRole("button", { name: "Rising tide" }).click();
  await expect(
    tide.getByText("The CTF is paused. Submit your flag when it resumes."),
  ).toBeVisible();
  await submitFlag(tide, "flag{any}");
  await expect(tide.getByText(/is paused, so this flag was not checked/)).toBeVisible();
  await expectSound(page, "paused");

  // The news page shows a notice that is withdrawn while the page is open.
  await newsLink(page).click();
  const told = page.getByRole("list", { name: "Your team's questions" });
  await expect(told).toContainText(/From the organizers at \d\d:\d\d/);
  const open = page.getByRole("article", { name: "Doors stay open" });
  await expect(open).toContainText(/edited at \d\d:\d\d/);
  await expect(open.getByRole("link", { name: OARS })).toHaveAttribute("href", /open=oars$/);
  await expectSound(page, "news");
  await stage(others, program);
  await action(program, "notice.withdraw", ...notice);
  const gone = page.getByText(/Notice from \d\d:\d\d, withdrawn at \d\d:\d\d\.$/);
  await expect(gone).toBeVisible({ timeout: LIVE_MS_MAX });
  await program.command("event", "resume", "--reason", "the network is back");
  await expect(paused).toHaveCount(0, { timeout: CHANGED_MS_MAX });
  await page.reload();
  await expect(gone).toBeVisible();
  await expect(page.getByText("New", { exact: true })).toHaveCount(0);
});

/** Expects that the projector view shows the notice and the pause, and still fits the screen. */
async function stage(page: Page, program: Program): Promise<void> {
  await page.setViewportSize({ width: 1920, height: 1080 });
  await page.goto(`${program.url}/scoreboard?view=stage`);
  await expectLive(page);
  await expect(page.getByRole("status").filter({ hasText: "Doors stay open" })).toBeVisible();
  await expect(page.getByText("CTF paused")).toBeVisible();
  const height = await page.evaluate(() => document.documentElement.scrollHeight);
  expect(height).toBeLessThanOrEqual(1080);
  expect(await tooWidePx(page)).toBeLessThanOrEqual(0);
}
