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
