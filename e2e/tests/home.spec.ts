// The home page in every phase of the event.

import type { Page } from "@playwright/test";
import { expect, test } from "../support/test.ts";

const DAY_S = 86_400;
const HOUR_S = 3600;

/** The counts of the four rings and how full each is drawn, from 0 to 1. */
async function rings(page: Page) {
  const timer = page.getByRole("timer", { name: "Time until the start" });
  await expect(timer).toBeVisible();
  const counts = (await timer.innerText()).match(/\d+/g)?.map(Number) ?? [];
  const shares = await timer.locator("circle[stroke-dasharray]").evaluateAll((circles) =>
    circles.map((circle) => {
      const dashes = circle.getAttribute("stroke-dasharray")?.split(" ").map(Number) ?? [];
      return (dashes[0] ?? 0) / (dashes[1] ?? 1);
    }),
  );
  return { counts, shares };
}

async function expectSocialLinks(page: Page): Promise<void> {
  const main = page.getByRole("main");
  for (const [name, address] of [
    ["Microblog", "https://example.org/@harbour"],
    ["Chat", "https://example.org/chat/harbour"],
  ] as const) {
    await expect(main.getByRole("link", { name })).toHaveAttribute("href", address);
  }
}

test("before the start four rings of 30 days, a day, an hour and a minute count down", async ({
  page,
  serve,
}) => {
  const start = 2 * DAY_S + 3 * HOUR_S + 4 * 60 + 30;
  const times = { start, freeze: start + HOUR_S, end: start + 2 * HOUR_S };
  const program = await serve({ when: times });
  await page.clock.install();
  await page.goto(program.url);
  await rings(page);
  await page.clock.pauseAt(Date.now() + 5000);
  const first = await rings(page);
  const [days = 0, hours = 0, minutes = 0, seconds = 0] = first.counts;
  expect([days, hours]).toEqual([2, 3]);
  expect(minutes).toBeGreaterThanOrEqual(2);
  const wholes = [30 * DAY_S, DAY_S, HOUR_S, 60];
  const parts = [days * DAY_S, hours * HOUR_S, minutes * 60, seconds];
  wholes.forEach((whole, index) => {
    expect(first.shares[index]).toBeCloseTo((parts[index] ?? 0) / whole, 6);
  });

  await page.clock.runFor(1000);
  await expect(async () => {
    const [, , , next] = (await rings(page)).counts;
    expect(next).toBe((seconds + 59) % 60);
  }).toPass();
  await expect(page.getByText("Press play to compete.")).toHaveCount(0);
  await expectSocialLinks(page);
});

test("more than thirty days before the start the first ring is full", async ({ page, serve }) => {
  const start = 45 * DAY_S;
  const program = await serve({ when: { start, freeze: start + 60, end: start + 120 } });
  await page.goto(program.url);
  const { counts, shares } = await rings(page);
  expect([44, 45]).toContain(counts[0]);
  expect(shares[0]).toBe(1);
});

test("while it runs the page says what is left and leads to the challenges", async ({ page }) => {
  await page.goto("/");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Harbour Test CTF");
  await expect(page.getByText(/^There are 0 days, 3 hours and 5\d minutes left\.$/)).toBeVisible();
  const play = page.getByRole("link", { name: "Press play to compete." });
  await expect(play).toHaveAttribute("href", "/challenge");
  await expect(page.getByRole("timer")).toHaveCount(0);
  await expectSocialLinks(page);
});

test("after the end the page leads to the final scoreboard", async ({ page, serve }) => {
  const program = await serve({ when: "ended" });
  await page.goto(program.url);
  const main = page.getByRole("main");
  await expect(main).toContainText("The CTF has ended.");
  await main.getByRole("link", { name: /final scoreboard/i }).click();
  await expect(page).toHaveURL(`${program.url}/scoreboard`);
});

test("without event info there are the banner and the social links only", async ({ page }) => {
  await page.route("**/api/ctf", async (route) => {
    const answer = await route.fetch();
    const none = { name: null, startTime: null, endTime: null, freezeTime: null };
    await route.fulfill({ response: answer, json: { ...(await answer.json()), ...none } });
  });
  await page.goto("/");
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await expectSocialLinks(page);
  await expect(page.getByRole("timer")).toHaveCount(0);
  await expect(page.getByText(/minutes left|CTF has ended|Press play/)).toHaveCount(0);
});

test("before and without an answer about the event they are there too", async ({
  page,
  complaints,
}) => {
  complaints.allow(/ERR_FAILED/);
  await page.route("**/api/ctf", () => undefined);
  await page.goto("/");
  await expectSocialLinks(page);
  await page.unroute("**/api/ctf");
  await page.route("**/api/ctf", (route) => route.abort());
  await page.goto("/");
  await expect(page.getByRole("alert")).toContainText("error, API connection failed");
  await expect(page.getByRole("main")).toMatchAriaSnapshot(`
    - main:
      - heading "Capture the flag" [level=1]
      - navigation "Social":
        - link "Microblog"
        - link "Chat"
  `);
  await expect(page.getByRole("main").getByRole("link")).toHaveCount(2);
});

test("an address of the event is written into the page as text", async ({ page, serve }) => {
  const chat = 'https://example.org/chat?a="b"&c=<script>';
  const edit = (text: string) => text.replace(/^chat = .*$/m, `chat = '${chat}'`);
  const program = await serve({ edit });
  await page.route("**/api/ctf", () => undefined);
  await page.goto(program.url);
  const link = page.getByRole("main").getByRole("link", { name: "Chat" });
  await expect(link).toHaveAttribute("href", chat);
});

test("a clock that is five hours ahead is corrected by the server's", async ({ page }) => {
  await page.clock.install({ time: Date.now() + 5 * HOUR_S * 1000 });
  await page.goto("/");
  await expect(page.getByText(/^There are 0 days, 3 hours/)).toBeVisible();
});
