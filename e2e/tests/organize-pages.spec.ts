// The organizers' pages: what an organizer does there is on a player's open page at once.

import { enrol, invite } from "../support/organizer.ts";
import { expectLive } from "../support/player.ts";
import { expectSound } from "../support/sound.ts";
import { expect, newTeam, test } from "../support/test.ts";

/**
 * The time from the organizer's toast until a visitor's open board has changed. A ban makes a new
 * board, which open pages fetch within two seconds at random, so that they do not all come at once.
 */
const LIVE_MS_MAX = 3_000;

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
  complaints.allow(/status of 409/);
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

  // With keys alone: undo the act, then say that a challenge is broken.
  await page.keyboard.press("u");
  const undo = page.getByRole("dialog", { name: /^Undo: / });
  await expect(undo.getByRole("button", { name: /: 1 team falls by one$/ })).toBeVisible();
  await page.keyboard.press("Control+Enter");
  await expect(undo).toHaveCount(0);
  await expect(row).toBeVisible({ timeout: LIVE_MS_MAX });
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
  await page.keyboard.press("Control+Enter");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(page.getByRole("table").getByText("broken")).toBeVisible();
  // The ban has ended the sessions of Otters for good.
  const answer = await program.call(hostile.token, "GET", "/challenge");
  expect(JSON.stringify(await answer.json())).toContain('"status":"broken"');

  // Each page, in its filled state; a link is a saved view.
  for (const path of ["challenges?open=welcome", "flags", "desk", "event", "log"]) {
    await page.goto(`${program.url}/organize/${path}`);
    await expectSound(page, `organize-${path.split("?")[0]}`);
  }
});
