// The organizer pages: actions appear immediately on a player's open page.

import { enrol, invite } from "../support/organizer.ts";
import { expectSound } from "../support/page-checks.ts";
import { expectLive } from "../support/player.ts";
import { expectCalm, watchShifts } from "../support/shifts.ts";
import { enter, expect, newTeam, test } from "../support/test.ts";

/**
 * Maximum delay of a message of the live channel on a busy machine, below the interval in which
 * pages without the channel poll.
 */
const LIVE_MS_MAX = 4_000;
const CONFLICT = /status of 409/;

// The file needs its own program, so that no other team is on the scoreboard.
test.use({ own: "organize-pages" });

test("a team is banned, unbanned by undo, and a challenge gets its status", async ({
  page,
  program,
  visitor,
  complaints,
}) => {
  test.slow();
  // The dialog immediately previews the current status, which changes nothing.
  complaints.allow(CONFLICT);
  const otters = await newTeam(program, "Otters");
  const hostile = await newTeam(program, "<b>Hostile</b>");
  await program.solve(otters.token, "welcome", "flag{w3lc0me_ab0ard}");
  await program.solve(otters.token, "oars", "flag{r0w}");
  await program.solve(hostile.token, "welcome", "flag{w3lc0me_ab0ard}");
  const player = await visitor();
  await player.goto("/scoreboard");
  await expectLive(player);
  const table = player.getByRole("table", { name: "Scoreboard", exact: true });
  const row = table.getByRole("row").filter({ hasText: otters.name });
  await expect(row).toBeVisible();

  const { link } = await invite(program, "organizer");
  await enrol(page, link);
  await expect(page.getByRole("heading", { level: 1, name: "Overview" })).toBeVisible();
  await expectSound(page, "organize-overview");

  // Pointer input: the button states the rank changes.
  await page.getByRole("link", { name: "Teams", exact: true }).click();
  await page.getByRole("link", { name: otters.name }).click();
  await expect(page).toHaveURL(/\/organize\/teams\?team=Otters$/);
  const panel = page.getByRole("region", { name: otters.name });
  await panel.getByRole("button", { name: "Ban" }).click();
  const sheet = page.getByRole("dialog", { name: "Ban Otters" });
  await sheet.getByLabel("Reason").fill("shared flags");
  await expectSound(page, "organize-sheet");
  await sheet.getByRole("button", { name: "Ban Otters: 1 team moves up one rank" }).click();
  await expect(page.getByRole("status").getByText('banned "Otters"')).toBeVisible();
  await expect(row).toHaveCount(0, { timeout: LIVE_MS_MAX });

  // Keyboard input only: undo the action, then mark a challenge as broken.
  await page.keyboard.press("u");
  const undo = page.getByRole("dialog", { name: /^Undo: / });
  await expect(undo.getByRole("button", { name: /: 1 team moves down one rank$/ })).toBeVisible();
  await page.keyboard.press("Control+Enter");
  await expect(undo).toHaveCount(0);
  await expect(row).toBeVisible({ timeout: LIVE_MS_MAX });
  await enter(player, program, hostile);
  await player.goto("/challenge");
  await expect(player.getByRole("heading", { level: 1 })).toBeVisible();
  await player.waitForLoadState("networkidle");
  await page.keyboard.press("g");
  await page.keyboard.press("c");
  await expect(page.getByRole("heading", { level: 1, name: "Challenges" })).toBeVisible();
  await expect(page.locator("[data-row]").first()).toBeVisible();
  await page.keyboard.press("j");
  await page.keyboard.press("Enter");
  await page.keyboard.press("s");
  const status = page.getByRole("combobox", { name: "Status" }).last();
  await expect(status).toBeVisible();
  await status.focus();
  await page.keyboard.press("b");
  // The button is disabled until the preview is loaded.
  await expect(page.getByRole("dialog").locator(".org-do[aria-disabled=false]")).toBeVisible();
  await page.keyboard.press("Control+Enter");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(player.getByText("Broken").first()).toBeVisible({ timeout: LIVE_MS_MAX });
  await expect(page.getByRole("table").getByText("Broken", { exact: true })).toBeVisible();

  // A notice is posted from Messages and visible at once.
  await page.keyboard.press("Escape");
  await page.keyboard.press("g");
  await page.keyboard.press("m");
  await page.getByRole("button", { name: "New notice" }).click();
  const notice = page.getByRole("dialog", { name: "Post a notice" });
  await notice.getByLabel("Title").fill("The harbour closes");
  await notice.getByLabel("Text").fill("At eight.");
  await notice.getByLabel(/^Urgent/).check();
  await page.keyboard.press("Control+Enter");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(player.getByText("The harbour closes").first()).toBeVisible({
    timeout: LIVE_MS_MAX,
  });

  // Opens each page with data, in English and Italian by turns.
  const open = [
    "teams?team=Otters",
    "challenges?open=welcome",
    "submissions",
    "submissions?tab=evidence",
  ];
  for (const [at, path] of [...open, "messages", "event", "audit-log", "account"].entries()) {
    await page.evaluate((it) => localStorage.setItem("language", it), at % 2 ? "it" : "en");
    await page.goto(`${program.url}/organize/${path}`);
    await expectSound(page, `organize-${path.replaceAll(/\W/g, "-")}`);
  }
});

test("two organizers edit one challenge, and drafts survive a lost network", async ({
  page,
  program,
  visitor,
  complaints,
}) => {
  test.slow();
  complaints.allow(CONFLICT);
  complaints.allow(/ERR_INTERNET_DISCONNECTED/);
  const [ada, grace] = [await invite(program, "organizer"), await invite(program, "organizer")];
  const other = await visitor();
  for (const [tab, { link }] of [
    [page, ada],
    [other, grace],
  ] as const) {
    await enrol(tab, link);
    await tab.goto(`${program.url}/organize/challenges?open=oars`);
  }
  const seen = page.getByRole("region").getByText(`${grace.name} is viewing this`);
  await expect(seen).toBeVisible();

  const sheet = page.getByRole("dialog", { name: /^Set the status of/ });
  const note = sheet.getByLabel(/^Note/);
  await page.keyboard.press("s");
  await note.fill("we look");
  const set = (status: string, note: string) =>
    other.evaluate(
      async (body) => {
        const headers = { "Content-Type": "application/json", "X-Organize": "1" };
        const init = { method: "POST", headers, body: JSON.stringify(body) };
        return (await fetch("/api/organize/actions", init)).status;
      },
      { action: "challenge.status", challenge: "oars", status, note },
    );
  // The preview of the new state loads, and is outdated a moment later.
  const previewed = page.waitForResponse((answer) => {
    return answer.request().postData()?.includes('"status":"fixed"') === true;
  });
  expect(await set("fixed", "down")).toBe(200);
  await expect(sheet.getByText("Changed in the meantime to: down")).toBeVisible();
  await expect(sheet.getByLabel("Status")).toHaveValue("fixed");
  await expect(note).toHaveValue("we look");
  await previewed;
  expect(await set("looked_at", "up again")).toBe(200);
  await page.keyboard.press("Control+Enter");
  await expect(sheet.getByText(/Review and try again; your input is kept/)).toBeVisible();
  await expect(sheet.getByText("Changed in the meantime to: up again")).toBeVisible();
  await expect(note).toHaveValue("we look");

  await page.context().setOffline(true);
  await note.fill("we look at it");
  await page.keyboard.press("Control+Enter");
  // The rank preview may fail too, with the same message.
  const fault = sheet.locator(".org-fault").filter({ hasText: /connection failed/i });
  await expect(fault).toBeVisible();
  await page.context().setOffline(false);
  await page.reload();
  await page.getByRole("button", { name: /^Set status/ }).click();
  await expect(note).toHaveValue("we look at it");
  await expect(sheet.getByLabel("Status")).toHaveValue("looked_at");
  await expect(sheet.locator(".org-do[aria-disabled=false]")).toBeVisible();
  await page.keyboard.press("Control+Enter");
  await expect(sheet).toHaveCount(0);
  await expect(page.getByRole("region").getByText("we look at it", { exact: true })).toBeVisible();
});

test("no organizer page shifts while loading on a phone", async ({ page, serve }) => {
  test.slow();
  // An urgent notice of another test would shift the page.
  const program = await serve({});
  const { link } = await invite(program, "owner");
  await enrol(page, link);
  await expect(page.getByRole("heading", { level: 1, name: "Overview" })).toBeVisible();
  await watchShifts(page, "inTurn");
  await page.setViewportSize({ width: 412, height: 823 });
  for (const path of [
    "",
    "/challenges",
    "/teams",
    "/submissions",
    "/messages",
    "/event",
    "/audit-log",
  ]) {
    await expectCalm(page, `${program.url}/organize${path}`);
  }
});

test("a list that is loading, failed or empty says so", async ({ page, serve, complaints }) => {
  test.slow();
  complaints.allow(/status of 500/);
  const program = await serve({});
  const { link } = await invite(program, "owner");
  await enrol(page, link);
  await expect(page.getByRole("heading", { level: 1, name: "Overview" })).toBeVisible();
  for (const [path, nothing] of [
    ["submissions", "No submissions yet"],
    ["submissions?network=192.0.2.7", "No matching submissions"],
    ["teams", "No teams yet"],
    ["teams?q=nobody", "No matching teams"],
  ] as const) {
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route(/\/api\/organize\/(flags|teams)(\?|$)/, async (route) => {
      await held;
      await route.fulfill({ status: 500, json: { code: "internal_error" } });
    });
    await page.goto(`${program.url}/organize/${path}`);
    await expect(page.getByRole("status", { name: "Loading…" })).toBeVisible();
    release();
    const retry = page.getByRole("button", { name: "Retry" });
    await expect(retry).toBeVisible({ timeout: 15_000 });
    await page.unrouteAll();
    // The list is also fetched again by itself, which removes the button.
    await expect(async () => {
      if (await retry.isVisible()) await retry.click({ timeout: 1_000 });
      await expect(page.getByText(nothing)).toBeVisible({ timeout: 1_000 });
    }).toPass();
  }
});
