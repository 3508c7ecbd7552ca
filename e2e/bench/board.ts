// What the scoreboard costs a browser: opening it with 1,200 teams and 36 challenges, and 20 solves
// a second for 20 seconds. Median of five, from the browser's trace. `npm run bench`, after a build
// of the site; not part of CI, whose machines are too different to hold a time against.

import { expect, test } from "@playwright/test";
import { Chromium } from "./chromium.ts";
import { playedEvent, snapshotAfter } from "./event.ts";
import { loadLine, median, RUNS, row, settle } from "./report.ts";
import { type StandIn, standIn } from "./stand-in.ts";
import { CATEGORIES, type Measured, measure } from "./trace.ts";

const SOLVES_PER_S = 20;
const LIVE_S = Number(process.env.BENCH_SECONDS ?? 20);
/** The page of 1440 by 900 and the frame around it. */
const WINDOW = { width: 1440, height: 987 };
const LIMITS = { openMs: 100, eventMs: 8, taskMs: 50 };

/** The rows that the page holds in the end, and its width. */
const DRAWN = "[document.querySelectorAll('tbody tr').length, innerWidth]";

const event = playedEvent();
const liveSolves = SOLVES_PER_S * LIVE_S;
const before = event.solves.length - liveSolves;

async function sendSolves(server: StandIn): Promise<void> {
  const startedAtMs = Date.now();
  for (const [index, solve] of event.solves.slice(before).entries()) {
    const dueAtMs = startedAtMs + (index * 1000) / SOLVES_PER_S;
    await new Promise((resolve) => setTimeout(resolve, dueAtMs - Date.now()));
    server.say({ event: "solve", seq: before + index + 1, ...solve });
  }
}

function report(opened: Measured[], live: Measured[]): void {
  const perEvent = live.map(({ scriptingMs }) => scriptingMs / liveSolves);
  const layout = live.map(({ layoutMs }) => layoutMs / liveSolves);
  const walls = live.map(({ longestTaskWallMs }) => longestTaskWallMs.toFixed(1));
  console.log(
    [
      "",
      `${event.teams.length} teams, ${event.challenges.length} challenges (${event.source}), ` +
        `${SOLVES_PER_S} solves a second for ${LIVE_S} s, median of ${RUNS}`,
      row(
        "opening, scripting",
        opened.map(({ scriptingMs }) => scriptingMs),
        LIMITS.openMs,
      ),
      row("a solve, scripting", perEvent, LIMITS.eventMs),
      row(
        "longest task while solves arrive",
        live.map((one) => one.longestTaskMs),
        LIMITS.taskMs,
      ),
      `layout and paint a solve ${median(layout).toFixed(1)} ms; longest task by the wall's ` +
        `clock ${walls.join(" ")} ms`,
      loadLine(),
      "",
    ].join("\n"),
  );
}

async function measureAll(browser: Chromium): Promise<{ opened: Measured[]; live: Measured[] }> {
  const opened: Measured[] = [];
  const live: Measured[] = [];
  for (let run = 0; run < RUNS; run += 1) {
    const server = await standIn(snapshotAfter(event, before));
    await browser.startTracing(CATEGORIES);
    const page = await browser.open(`${server.url}/scoreboard`, WINDOW.width, WINDOW.height);
    // Nothing is asked of the page meanwhile: that would be scripting too.
    await settle();
    opened.push(measure(await browser.stopTracing()));
    await browser.startTracing(CATEGORIES);
    await sendSolves(server);
    await settle();
    live.push(measure(await browser.stopTracing()));
    expect(await browser.evaluate(page, DRAWN)).toEqual([50, WINDOW.width]);
    await browser.close(page);
    server.stop();
  }
  return { opened, live };
}

test("the board opens and lives within its budget", async ({ launchOptions }) => {
  test.setTimeout(RUNS * (LIVE_S + 90) * 1000);
  const { executablePath = "chromium", args = [], chromiumSandbox } = launchOptions;
  const browser = new Chromium(executablePath, chromiumSandbox ? args : [...args, "--no-sandbox"]);
  const { opened, live } = await measureAll(browser).finally(() => browser.stop());
  report(opened, live);
  expect(median(opened.map(({ scriptingMs }) => scriptingMs))).toBeLessThan(LIMITS.openMs);
  expect(median(live.map(({ scriptingMs }) => scriptingMs)) / liveSolves).toBeLessThanOrEqual(
    LIMITS.eventMs,
  );
  expect(median(live.map(({ longestTaskMs }) => longestTaskMs))).toBeLessThanOrEqual(LIMITS.taskMs);
});
