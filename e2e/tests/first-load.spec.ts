// Bytes of a first visit, on the wire.

import type { Browser } from "@playwright/test";
import { EVENT, play } from "../screenshots/event.ts";
import { Program } from "../support/program.ts";
import { expect, test } from "../support/test.ts";

const KB = 1000;

/** Visits a page, and returns the bytes of all responses, and a list of the largest. */
async function load(browser: Browser, program: Program, path: string) {
  const context = await browser.newContext({ baseURL: program.url });
  const page = await context.newPage();
  const network = await context.newCDPSession(page);
  await network.send("Network.enable");
  const bytes = new Map<string, number>();
  const urls = new Map<string, string>();
  network.on("Network.requestWillBeSent", ({ requestId, request }) => {
    urls.set(requestId, request.url.replace(program.url, ""));
  });
  network.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
    bytes.set(urls.get(requestId) ?? requestId, encodedDataLength);
  });
  await page.goto(path);
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await page.waitForLoadState("networkidle");
  expect(bytes.size).toBeGreaterThan(5);
  const sum = [...bytes.values()].reduce((sum, one) => sum + one, 0);
  const largest = [...bytes].sort(([, a], [, b]) => b - a).slice(0, 12);
  const list = largest.map(([url, size]) => `${size} ${url}`).join("\n");
  console.log(`${path}: ${sum} bytes in ${bytes.size} requests\n${list}`);
  await context.close();
  return { sum, list: `${path}\n${list}`, urls: [...urls.values()] };
}

test("a first visit to Home loads at most 150 kB, to the scoreboard 190 kB", async ({
  browser,
}) => {
  const edit = (text: string) => text.replace(/\[\[divisions\]\][^[]*/g, "");
  const program = await Program.start({ event: EVENT, when: "running", edit });
  await play(program);
  const home = await load(browser, program, "/");
  expect.soft(home.sum, home.list).toBeLessThanOrEqual(150 * KB);
  const scoreboard = await load(browser, program, "/scoreboard");
  expect.soft(scoreboard.sum, scoreboard.list).toBeLessThanOrEqual(190 * KB);
  expect(scoreboard.urls.filter((url) => url.includes("division"))).toEqual([]);
  await program.stop();
});

test("divisions add at most 2.5 kB to the scoreboard", async ({ browser }) => {
  const program = await Program.start({ event: EVENT, when: "running" });
  await play(program);
  const { sum, list, urls } = await load(browser, program, "/scoreboard");
  expect(
    urls.some((url) => url.includes("division")),
    list,
  ).toBe(true);
  expect(sum, list).toBeLessThanOrEqual(192.5 * KB);
  await program.stop();
});
