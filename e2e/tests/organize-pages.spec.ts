// The organizers' pages: what an organizer does there is on a player's open page at once.

import { enrol, invite } from "../support/organizer.ts";
import { expectLive } from "../support/player.ts";
import { expectCalm, watchShifts } from "../support/shifts.ts";
import { expectSound } from "../support/sound.ts";
import { enter, expect, newTeam, test } from "../support/test.ts";

/** The time from the organizer's toast until a player's open page has changed. */
const LIVE_MS_MAX = 1_000;
const CONFLICT = /status of 409/;

// No other team may stand on the board.
test.use({ own: "organize-pages" });

test("a team is banned from its sheet, unbanned by undo, and a challenge gets its status", async ({
  page,
  program,
  visitor,
  complaints,
}) => {
  test.slow();
  // The sheet asks at once what the status that is set already would change: nothing.
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
  await expect(page.getByRole("heading", { level: 1, name: "Now" })).toBeVisible();
  await expectSound(page, "organize-now");

  // With the pointer: the button says who moves.
  await page.getByRole("link", { name: "Teams", exact: true }).click();
  await page.getByRole("link", { name: otters.name }).click();
  await expect(page).toHaveURL(/\/organize\/teams\?team=Otters$/);
  const panel = page.getByRole("region", { name: otters.name });
  await panel.getByRole("button", { name: "Ban" }).click();
  const sheet = page.getByRole("dialog", { name: "Ban Otters" });
  await sheet.getByLabel("Reason").fill("shared flags");
  await expectSound(page, "organize-sheet");
  await sheet.getByRole("button", { name: "Ban Otters: 1 team rises by one" }).click();
  await expect(page.getByRole("status").getByText('banned "Otters"')).toBeVisible();
  await expect(row).toHaveCount(0, { timeout: LIVE_MS_MAX });

  // With keys alone: undo the action, then say that a challenge is broken.
  await page.keyboard.press("u");
  const undo = page.getByRole("dialog", { name: /^Undo: / });
  await expect(undo.getByRole("button", { name: /: 1 team falls by one$/ })).toBeVisible();
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
  // Until the sheet knows who moves, nothing is done.
  await expect(page.getByRole("dialog").locator(".org-do[aria-disabled=false]")).toBeVisible();
  await page.keyboard.press("Control+Enter");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(player.getByText("Broken").first()).toBeVisible({ timeout: LIVE_MS_MAX });
  await expect(page.getByRole("table").getByText("broken")).toBeVisible();

  // A notice is posted from the desk, and read at once.
  await page.keyboard.press("Escape");
  await page.keyboard.press("g");
  await page.keyboard.press("d");
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

  // Each page, in its filled state, and each language in its turn; a link is a saved view.
  const open = ["teams?team=Otters", "challenges?open=welcome", "flags", "flags?tab=evidence"];
  for (const [at, path] of [...open, "desk", "event", "log", "account"].entries()) {
    await page.evaluate((it) => localStorage.setItem("language", it), at % 2 ? "it" : "en");
    await page.goto(`${program.url}/organize/${path}`);
    await expectSound(page, `organize-${path.replaceAll(/\W/g, "-")}`);
  }
});

test("two organizers change one challenge, and a lost network loses no word", async ({
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
  const seen = page.getByRole("region").getByText(`${grace.name} looks at this`);
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
  // The preview of what it became has come, and is too old a moment later.
  const previewed = page.waitForResponse((answer) => {
    return answer.request().postData()?.includes('"status":"fixed"') === true;
  });
  expect(await set("fixed", "down")).toBe(200);
  await expect(sheet.getByText("Meanwhile it became: down")).toBeVisible();
  await expect(sheet.getByLabel("Status")).toHaveValue("fixed");
  await expect(note).toHaveValue("we look");
  await previewed;
  expect(await set("looked_at", "up again")).toBe(200);
  await page.keyboard.press("Control+Enter");
  await expect(sheet.getByText(/Look again: what you typed is kept/)).toBeVisible();
  await expect(sheet.getByText("Meanwhile it became: up again")).toBeVisible();
  await expect(note).toHaveValue("we look");

  await page.context().setOffline(true);
  await note.fill("we look at it");
  await page.keyboard.press("Control+Enter");
  // The preview of who moves may fail as well, and says the same.
  const fault = sheet.locator(".org-fault").filter({ hasText: /connection failed/i });
  await expect(fault).toBeVisible();
  await page.context().setOffline(false);
  await page.reload();
  await page.getByRole("button", { name: /^Status/ }).click();
  await expect(note).toHaveValue("we look at it");
  await expect(sheet.getByLabel("Status")).toHaveValue("looked_at");
  await expect(sheet.locator(".org-do[aria-disabled=false]")).toBeVisible();
  await page.keyboard.press("Control+Enter");
  await expect(sheet).toHaveCount(0);
  await expect(page.getByRole("region").getByText("looked at: we look at it")).toBeVisible();
});

test("no page of the organizers jumps while it fills itself on a phone", async ({
  page,
  serve,
}) => {
  test.slow();
  // An urgent notice of another test would move it.
  const program = await serve({});
  const { link } = await invite(program, "owner");
  await enrol(page, link);
  await expect(page.getByRole("heading", { level: 1, name: "Now" })).toBeVisible();
  await watchShifts(page, "inTurn");
  await page.setViewportSize({ width: 412, height: 823 });
  for (const path of ["", "/challenges", "/teams", "/flags", "/desk", "/event", "/log"]) {
    await expectCalm(page, `${program.url}/organize${path}`);
  }
});

test("a list that is on its way, fails or has nothing says so", async ({
  page,
  serve,
  complaints,
}) => {
  test.slow();
  complaints.allow(/status of 500/);
  const program = await serve({});
  const { link } = await invite(program, "owner");
  await enrol(page, link);
  await expect(page.getByRole("heading", { level: 1, name: "Now" })).toBeVisible();
  for (const [path, nothing] of [
    ["flags", "There is no flag to see yet."],
    ["flags?network=192.0.2.7", "No flag in this filter."],
    ["teams", "There is no team to see yet."],
    ["teams?q=nobody", "No team matches."],
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
    await expect(page.getByRole("status", { name: "Loading the list" })).toBeVisible();
    release();
    const retry = page.getByRole("button", { name: "Retry" });
    await expect(retry).toBeVisible({ timeout: 15_000 });
    await page.unrouteAll();
    await retry.click();
    await expect(page.getByText(nothing)).toBeVisible();
  }
});
