// Each first blood is announced once, on every page; earlier ones are not.

import type { Page } from "@playwright/test";
import { expectLive } from "../support/player.ts";
import { enter, expect, newTeam, test } from "../support/test.ts";

const FLAGS = [
  ["welcome", "flag{w3lc0me_ab0ard}", "Welcome aboard"],
  ["tide", "flag{t1de}", "Rising tide"],
] as const;

/** Records every announcement of the page, also those that have disappeared. */
async function listen(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const told: string[] = JSON.parse(sessionStorage.getItem("told") ?? "[]");
    Reflect.set(window, "told", told);
    new MutationObserver((changes) => {
      for (const node of changes.flatMap(({ addedNodes }) => [...addedNodes])) {
        const place = node instanceof Element ? node.parentElement : null;
        if (place?.getAttribute("role") !== "status") continue;
        if (!node.textContent?.includes("First blood")) continue;
        told.push(node.textContent);
        sessionStorage.setItem("told", JSON.stringify(told));
      }
    }).observe(document, { childList: true, subtree: true });
  });
}

function told(page: Page): Promise<string[]> {
  return page.evaluate(() => Reflect.get(window, "told"));
}

/** Waits until announcements work on the page. */
async function ready(page: Page): Promise<void> {
  await expect(page.locator("[data-large]")).toBeAttached();
}

test("every page tells it once and politely; nothing tells it again", async ({
  page,
  serve,
  visitor,
}) => {
  test.slow();
  const program = await serve({});
  const first = await newTeam(program, "First Mates", "NO");
  const second = await newTeam(program, "Second Mates", "SE");
  const board = await visitor(program.url);
  const home = await visitor(program.url);
  for (const one of [page, board, home]) {
    await listen(one);
  }
  await enter(page, program, first);
  await page.goto(`${program.url}/challenge`);
  await board.goto("/scoreboard");
  await home.goto("/");
  for (const one of [page, board]) {
    await expect(one.getByRole("rowheader", { name: second.name })).toBeVisible();
  }
  for (const one of [page, board, home]) {
    await ready(one);
  }
  const [welcome, tide] = FLAGS;
  await program.solve(first.token, welcome[0], welcome[1]);
  for (const one of [page, board, home]) {
    const news = one.getByRole("status").filter({ hasText: "First blood" });
    await expect(news).toHaveText(/First blood.*First Mates.*First to solve Welcome aboard/);
    await expect(one.getByRole("alert").filter({ hasText: "First blood" })).toHaveCount(0);
  }
  // A page that opens now does not announce it, nor does a reload.
  await board.reload();
  await expect(board.getByRole("img", { name: /^Welcome aboard: first blood/ })).toBeVisible();
  await ready(board);
  // Nor a second solver, another page of the site, or a connection that was lost.
  await program.solve(second.token, welcome[0], welcome[1]);
  await home.getByRole("link", { name: "Scoreboard" }).click();
  await expectLive(home);
  await page.context().setOffline(true);
  await page.context().setOffline(false);
  await program.solve(second.token, tide[0], tide[1]);
  for (const one of [page, board, home]) {
    await expect.poll(async () => (await told(one)).length, { timeout: 20_000 }).toBe(2);
    const [one1, one2] = await told(one);
    expect(one1).toMatch(/First Mates.*First to solve Welcome aboard/);
    expect(one2).toMatch(/Second Mates.*First to solve Rising tide/);
  }
  for (const one of [page, board, home]) {
    const news = one.getByRole("status").filter({ hasText: "First blood" });
    await expect(news).toHaveCount(0, { timeout: 15_000 });
    expect(await told(one)).toHaveLength(2);
  }
});

test("it covers nothing that can be clicked, and is no wider than a phone", async ({
  page,
  serve,
}) => {
  // In a program that other tests share one of them may have had the first blood already.
  const program = await serve({});
  await page.setViewportSize({ width: 360, height: 740 });
  const team = await newTeam(program, "W".repeat(25));
  await page.goto(`${program.url}/scoreboard`);
  await expect(page.getByRole("rowheader", { name: team.name })).toBeVisible();
  await ready(page);
  await program.solve(team.token, "oars", "flag{r0w}");
  const news = page.getByRole("status").filter({ hasText: "First blood" });
  await expect(news).toBeVisible();
  await expect(news).toHaveCSS("pointer-events", "none");
  const box = await news.boundingBox();
  expect(box?.x).toBeGreaterThanOrEqual(0);
  expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(360);
});
