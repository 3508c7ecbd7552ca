// Browser cost of the scoreboard: opening it with 2,000 teams and 75 challenges, and 20 solves per
// second for 20 seconds. `BENCH_EVENT=real` plays a real event with 1,200 teams instead. Takes the
// median of five runs from the browser's trace. Run it with `npm run bench` after a build of the
// site. It is not part of CI, whose machines vary too much for time limits.

import { expect, test } from "@playwright/test";
import { Chromium } from "./chromium.ts";
import { largeEvent, playedEvent, snapshotAfter } from "./event.ts";
import { type FakeServer, startFakeServer } from "./fake-server.ts";
import { loadLine, median, RUNS, row, settle } from "./report.ts";
import { CATEGORIES, type Measured, measure } from "./trace.ts";

const SOLVES_PER_S = 20;
const LIVE_S = Number(process.env.BENCH_SECONDS ?? 20);
/** Window size of a 1440 by 900 page. */
const WINDOW = { width: 1440, height: 987 };
const LIMITS = { openMs: 100, eventMs: 8, taskMs: 50 };

/** Expression for the final number of rows and the page width. */
const DRAWN = "[document.querySelectorAll('tbody tr').length, innerWidth]";

const event = process.env.BENCH_EVENT === "real" ? playedEvent() : largeEvent();
const liveSolves = SOLVES_PER_S * LIVE_S;
const before = event.solves.length - liveSolves;

async function sendSolves(server: FakeServer): Promise<void> {
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
    const server = await startFakeServer(snapshotAfter(event, before));
    await browser.startTracing(CATEGORIES);
    const page = await browser.open(`${server.url}/scoreboard`, WINDOW.width, WINDOW.height);
    // Nothing is evaluated during the measurement, because that would count as scripting.
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
