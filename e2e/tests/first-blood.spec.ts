// Each first blood is announced once on every page; earlier ones are not.

import type { Page } from "@playwright/test";
import { card, expectLive, submitFlag } from "../support/player.ts";
import type { Program, Setup } from "../support/program.ts";
import { enter, expect, newTeam, test } from "../support/test.ts";

const FLAGS = [
  ["welcome", "flag{w3lc0me_ab0ard}", "Welcome aboard"],
  ["tide", "flag{t1de}", "Rising tide"],
] as const;

/** Records all announcements of the page, including those that are no longer shown. */
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

/** Starts a program with two teams. */
async function twoTeams(serve: (setup: Setup) => Promise<Program>) {
  const program = await serve({});
  const first = await newTeam(program, "First Mates", "NO");
  const second = await newTeam(program, "Second Mates", "SE");
  return { program, first, second };
}

/** Waits until the page can announce. */
async function ready(page: Page): Promise<void> {
  await expect(page.locator("[data-large]")).toBeAttached();
}

test("every page announces it once, politely, and never again", async ({
  page,
  serve,
  visitor,
}) => {
  test.slow();
  const { program, first, second } = await twoTeams(serve);
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
  // A newly opened or reloaded page does not announce the first blood again.
  await board.reload();
  await expect(board.getByRole("img", { name: /^Welcome aboard: first blood/ })).toBeVisible();
  await ready(board);
  // A second solver, another page of the site or a reconnection does not announce it either.
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

test("it covers no controls, and is not wider than a phone", async ({ page, serve }) => {
  // In a shared program, another test may already have taken the first blood.
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

/** Counts canvases that are added above the page, including removed ones. */
async function countBursts(page: Page): Promise<() => Promise<number>> {
  await page.addInitScript(() => {
    Reflect.set(window, "bursts", 0);
    new MutationObserver((changes) => {
      const added = changes.flatMap(({ addedNodes }) => [...addedNodes]);
      const bursts = added.filter((node) => node instanceof HTMLCanvasElement).length;
      Reflect.set(window, "bursts", Reflect.get(window, "bursts") + bursts);
    }).observe(document, { childList: true, subtree: true });
  });
  return () => page.evaluate(() => Reflect.get(window, "bursts"));
}

test("the team that solves first has its own moment instead of the toast", async ({
  page,
  serve,
  visitor,
}) => {
  test.slow();
  const { program, first, second } = await twoTeams(serve);
  const board = await visitor(program.url);
  await listen(page);
  const bursts = await countBursts(page);
  await enter(page, program, first);
  await page.goto(`${program.url}/challenge?open=tide`);
  await board.goto("/scoreboard");
  await expectLive(page);
  for (const one of [page, board]) {
    await ready(one);
  }
  const challenge = card(page, "Rising tide");
  await submitFlag(challenge, "flag{t1de}");
  const spoken = challenge.getByRole("status").filter({ hasText: "nobody was faster" });
  await expect(spoken).toHaveText(
    /^First blood, nobody was faster\. \+500, now 1st.*\. 500 points ahead of .?Second Mates/,
  );
  await expect(challenge.locator("[data-kind=blood]")).toBeVisible();
  await expect(challenge.getByPlaceholder("flag")).toHaveCount(0);
  await expect(challenge.getByText("flag{t1de}", { exact: true })).toBeVisible();
  await expect.poll(bursts).toBe(1);
  await expect(page.locator("canvas")).toHaveCount(0);
  await expect(board.getByText("First to solve Rising tide")).toBeVisible();
  const next = challenge.getByRole("link", { name: /^Next challenge: / });
  await expect(next).toBeFocused();
  await expect(next).toBeInViewport({ ratio: 1 });

  // The page still announces the first blood of another team.
  await program.solve(second.token, "welcome", "flag{w3lc0me_ab0ard}");
  await expect(page.getByText("First to solve Welcome aboard")).toBeVisible();
  expect((await told(page)).filter((text) => text.includes("First to solve"))).toHaveLength(1);
});

test("with reduced motion, everything is in place at once", async ({ page, serve }) => {
  const program = await serve({});
  const rival = await newTeam(program, "Rivals");
  const team = await newTeam(program, "Calm Crew");
  await program.solve(rival.token, "welcome", "flag{w3lc0me_ab0ard}");
  await page.emulateMedia({ reducedMotion: "reduce" });
  const bursts = await countBursts(page);
  await enter(page, program, team);
  await page.goto(`${program.url}/challenge?open=tide`);
  await expectLive(page);
  const challenge = card(page, "Rising tide");
  await submitFlag(challenge, "flag{t1de}");
  const moment = challenge.locator("[data-kind=blood]");
  await expect(moment).toContainText("+500");
  await expect(moment).toContainText("#1");
  await expect(moment).toContainText("400 points ahead of");
  const animations = await moment.evaluate((box) => box.getAnimations({ subtree: true }).length);
  expect(animations).toBe(0);
  expect(await bursts()).toBe(0);
});
