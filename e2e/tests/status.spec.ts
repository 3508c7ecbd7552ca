// The event's status changes by itself on pages that are open, at start, freeze and end.

import type { Page } from "@playwright/test";
import { enter, expect, newTeam, test } from "../support/test.ts";

function banner(page: Page) {
  return page.getByRole("main").getByText(/^(CTF ended|Scoreboard frozen|CTF not started)$/);
}

test("home, scoreboard and challenges follow the event without a reload", async ({
  page,
  serve,
  visitor,
}) => {
  test.slow();
  // Seconds, with room for three pages to open on a busy machine before the start.
  const program = await serve({ when: { start: 14, freeze: 18, end: 22 } });
  const board = await visitor(program.url);
  const home = await visitor(program.url);
  await enter(page, program, await newTeam(program, "Early Birds"));
  await Promise.all([
    page.goto(`${program.url}/challenge`),
    board.goto("/scoreboard"),
    home.goto("/"),
  ]);

  await expect(home.getByRole("timer")).toBeVisible();
  for (const one of [page, board]) {
    await expect(banner(one)).toHaveText("CTF not started");
  }
  await expect(page.getByRole("article")).toHaveCount(0);

  await expect(home.getByRole("link", { name: "Press play to compete." })).toBeVisible();
  for (const one of [page, board]) {
    await expect(banner(one)).toHaveCount(0);
  }
  await expect(page.getByRole("article")).toHaveCount(4);

  for (const one of [page, board]) {
    await expect(banner(one)).toHaveText("Scoreboard frozen");
  }
  for (const one of [page, board]) {
    await expect(banner(one)).toHaveText("CTF ended");
  }
  await expect(home.getByRole("main")).toContainText("The CTF has ended.");
});

test("a start beyond a timer's longest delay is waited for, also by a laptop that slept", async ({
  page,
}) => {
  const HOUR_MS = 3_600_000;
  // A longer delay overflows the browser's timer, which then fires at once.
  const FAR_MS = 2_147_483_647 + HOUR_MS;
  await page.clock.install();
  const startTime = Date.now() + FAR_MS;
  const times = { startTime, freezeTime: startTime + HOUR_MS, endTime: startTime + 2 * HOUR_MS };
  let asked = 0;
  await page.route("**/api/ctf", async (route) => {
    asked += 1;
    // Asked once and never again: the page has only its own clock to go by.
    if (asked > 1) return;
    const answer = await route.fetch();
    await route.fulfill({ response: answer, json: { ...(await answer.json()), ...times } });
  });
  await page.goto("/scoreboard");
  await expect(banner(page)).toHaveText("CTF not started");
  await page.clock.runFor(2 * 60_000);
  await expect(banner(page)).toHaveText("CTF not started");
  // A laptop that sleeps: the time of day jumps, no timer runs meanwhile.
  await page.clock.setSystemTime(startTime - 20_000);
  await page.clock.runFor(10_000);
  await expect(banner(page)).toHaveText("CTF not started");
  await page.clock.setSystemTime(startTime + 1000);
  await page.clock.runFor(31_000);
  await expect(banner(page)).toHaveCount(0);
  await page.clock.setSystemTime(times.freezeTime + 1000);
  await page.clock.runFor(31_000);
  await expect(banner(page)).toHaveText("Scoreboard frozen");
  // Shown again, a page looks at the clock at once.
  await page.clock.setSystemTime(times.endTime + 1000);
  await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
  await expect(banner(page)).toHaveText("CTF ended");
});

test("while it runs no banner is shown, and on no other page ever", async ({ page, serve }) => {
  await page.goto("/scoreboard");
  await expect(page.getByRole("heading", { level: 1, name: "Scoreboard" })).toBeVisible();
  await expect(banner(page)).toHaveCount(0);
  const ended = await serve({ when: "ended" });
  for (const path of ["/rules", "/login", "/"]) {
    await page.goto(ended.url + path);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await expect(banner(page)).toHaveCount(0);
  }
});

test("unknown times show no banner", async ({ page }) => {
  await page.route("**/api/ctf", async (route) => {
    const answer = await route.fetch();
    const none = { startTime: null, endTime: null, freezeTime: null };
    await route.fulfill({ response: answer, json: { ...(await answer.json()), ...none } });
  });
  await page.goto("/scoreboard");
  await expect(page).toHaveTitle("Harbour Test CTF");
  await expect(banner(page)).toHaveCount(0);
});
