// The event's status updates on open pages at the start, the freeze and the end.

import type { Page } from "@playwright/test";
import { enter, expect, newTeam, test } from "../support/test.ts";

function banner(page: Page) {
  return page.getByRole("main").getByText(/^(CTF ended|Scoreboard frozen|CTF not started)$/);
}

/** Records each status that the page shows, however briefly. */
async function keepDiary(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const kept: string[] = [];
    Reflect.set(window, "diary", kept);
    const words = /CTF ended|Scoreboard frozen|CTF not started/;
    const phases = /Press play to compete\.|The CTF has ended\./;
    const told = () => {
      const main = document.querySelector("main");
      if (!main?.querySelector("h1")) return undefined;
      if (location.pathname !== "/") return main.innerText.match(words)?.[0] ?? "";
      return main.querySelector("[role=timer]") ? "the rings" : main.innerText.match(phases)?.[0];
    };
    new MutationObserver(() => {
      const now = told();
      if (now !== undefined && now !== kept.at(-1)) kept.push(now);
    }).observe(document, { childList: true, subtree: true, characterData: true });
  });
}

/** Statuses shown so far; empty before the event info arrived. */
async function diary(page: Page): Promise<string[]> {
  const kept: string[] = await page.evaluate(() => Reflect.get(window, "diary"));
  return kept[0] === "" ? kept.slice(1) : kept;
}

test("home, scoreboard and challenges follow the event without a reload", async ({
  page,
  serve,
  visitor,
}) => {
  test.slow();
  const board = await visitor();
  const home = await visitor();
  for (const one of [page, board, home]) {
    await keepDiary(one);
  }
  // Start time in seconds: late enough for three pages to open on a busy machine.
  const program = await serve({ when: { start: 18, freeze: 20.5, end: 23 } });
  await enter(page, program, await newTeam(program, "Early Birds"));
  await Promise.all([
    page.goto(`${program.url}/challenge`),
    board.goto(`${program.url}/scoreboard`),
    home.goto(program.url),
  ]);
  for (const one of [page, board]) {
    await expect(banner(one)).toHaveText("CTF ended", { timeout: 40_000 });
    expect(await diary(one)).toEqual(["CTF not started", "", "Scoreboard frozen", "CTF ended"]);
  }
  await expect(page.getByRole("article")).toHaveCount(4);
  await expect(home.getByRole("main")).toContainText("The CTF has ended.");
  expect(await diary(home)).toEqual(["the rings", "Press play to compete.", "The CTF has ended."]);
});

test("a start beyond a timer's longest delay works, also after a laptop slept", async ({
  page,
}) => {
  const HOUR_MS = 3_600_000;
  // Maximum delay of a browser timer. A longer one overflows, and the timer fires at once.
  const TIMER_MS_MAX = 2_147_483_647;
  const FAR_MS = TIMER_MS_MAX + HOUR_MS;
  await page.clock.install();
  await page.addInitScript(() => {
    const wait = window.setTimeout;
    Reflect.set(window, "longestMs", 0);
    const noted = (run: () => void, ms = 0) => {
      Reflect.set(window, "longestMs", Math.max(ms, Reflect.get(window, "longestMs")));
      return wait(run, ms);
    };
    Reflect.set(window, "setTimeout", noted);
  });
  const startTime = Date.now() + FAR_MS;
  const times = { startTime, freezeTime: startTime + HOUR_MS, endTime: startTime + 2 * HOUR_MS };
  let asked = 0;
  await page.route("**/api/ctf", async (route) => {
    asked += 1;
    // Only the first request succeeds, so the page must use its own clock.
    if (asked > 1) return;
    const answer = await route.fetch();
    await route.fulfill({ response: answer, json: { ...(await answer.json()), ...times } });
  });
  await page.goto("/scoreboard");
  await expect(banner(page)).toHaveText("CTF not started");
  await page.clock.runFor(2 * 60_000);
  await expect(banner(page)).toHaveText("CTF not started");
  const longestMs = await page.evaluate(() => Reflect.get(window, "longestMs"));
  expect(longestMs).toBeGreaterThan(0);
  expect(longestMs).toBeLessThanOrEqual(TIMER_MS_MAX);
  // A laptop sleeps: the clock jumps, and no timer runs.
  await page.clock.setSystemTime(startTime - 20_000);
  await page.clock.runFor(10_000);
  await expect(banner(page)).toHaveText("CTF not started");
  await page.clock.setSystemTime(startTime + 1000);
  await page.clock.runFor(31_000);
  await expect(banner(page)).toHaveCount(0);
  await page.clock.setSystemTime(times.freezeTime + 1000);
  await page.clock.runFor(31_000);
  await expect(banner(page)).toHaveText("Scoreboard frozen");
  // A page checks the clock as soon as it is visible again.
  await page.clock.setSystemTime(times.endTime + 1000);
  await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
  await expect(banner(page)).toHaveText("CTF ended");
});

test("the home page of a laptop that slept past the end updates without a request", async ({
  page,
}) => {
  await page.clock.install();
  let asked = 0;
  await page.route("**/api/ctf", (route) => {
    asked += 1;
    return asked > 1 ? undefined : route.continue();
  });
  await page.goto("/");
  await expect(page.getByRole("link", { name: "Press play to compete." })).toBeVisible();
  await page.clock.setSystemTime(Date.now() + 5 * 3_600_000);
  await page.clock.runFor(31_000);
  await expect(page.getByRole("main")).toContainText("The CTF has ended.");
});

test("while it runs no banner is shown, and never on other pages", async ({ page, serve }) => {
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
  await expect(page).toHaveTitle("Scoreboard · Harbour Test CTF");
  await expect(banner(page)).toHaveCount(0);
});
