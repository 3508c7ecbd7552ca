// The projector's view: full screen, large, pages that turn by themselves, first bloods big.

import type { Page } from "@playwright/test";
import { expectLive } from "../support/player.ts";
import { tooWidePx } from "../support/sound.ts";
import { expect, type Team, test } from "../support/test.ts";

const TEAMS = 34;
const PAGE_MS = 10_000;

test.use({ own: "stage", viewport: { width: 1920, height: 1080 } });

let crews: Team[] = [];

test.beforeAll(async ({ program }) => {
  const names = Array.from(
    { length: TEAMS },
    (_, index) => `Crew ${String(index + 1).padStart(2, "0")}`,
  );
  const tokens = await program.importTeams(
    names.map((name, index) => ({
      name,
      email: `s${index}@example.org`,
      country: "FR",
      password: "",
    })),
  );
  crews = names.map((name) => ({ name, token: tokens.get(name) ?? "" }));
});

function top(page: Page) {
  return page.getByRole("table", { name: "The ten first" });
}

function others(page: Page) {
  return page.getByRole("table", { name: "The others" });
}

test("nothing but the board: the ten first, a page of the others, the time left", async ({
  page,
}) => {
  await page.goto("/scoreboard");
  await page.getByRole("link", { name: "Projector view" }).click();
  await expect(page).toHaveURL(/\/scoreboard\?view=stage$/);
  await expectLive(page);
  await expect(page.getByRole("navigation", { name: "Main" })).toHaveCount(0);
  await expect(page.getByRole("contentinfo")).toHaveCount(0);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Harbour Test CTF");
  await expect(page.getByRole("timer")).toHaveText(/^Time left 3:5\d:\d\d$/);
  await expect(top(page).getByRole("rowheader")).toHaveCount(10);
  await expect(others(page).getByRole("rowheader").first()).toHaveText("Crew 11");
  await expect(
    page.getByRole("navigation", { name: "Pages of the scoreboard" }),
  ).toMatchAriaSnapshot(`
      - navigation "Pages of the scoreboard":
        - button "Previous"
        - text: Page 1 of 3
        - button "Next"
        - button "Pause"
        - button "Full screen"
        - link "Leave"
    `);
  await expect(top(page)).toMatchAriaSnapshot(`
    - table "The ten first":
      - rowgroup:
        - row "# Country Team Score"
      - rowgroup:
        - row "1 France Crew 01 0":
          - cell "1"
          - cell:
            - img "France"
          - rowheader "Crew 01"
          - cell "0"
  `);
  await page.keyboard.press("Escape");
  await expect(page).toHaveURL(/\/scoreboard$/);
  await expect(page.getByRole("navigation", { name: "Main" })).toBeVisible();
});

test("it fills a screen without scrolling, in letters that a hall can read", async ({ page }) => {
  await page.goto("/scoreboard?view=stage");
  await expectLive(page);
  for (const size of [
    { width: 1280, height: 720 },
    { width: 1920, height: 1080 },
    { width: 2560, height: 1440 },
  ]) {
    await page.setViewportSize(size);
    const height = () => page.evaluate(() => document.documentElement.scrollHeight);
    expect.soft(await height(), JSON.stringify(size)).toBeLessThanOrEqual(size.height);
    expect.soft(await tooWidePx(page)).toBeLessThanOrEqual(0);
    for (const table of [top(page), others(page)]) {
      const last = table.getByRole("rowheader").last();
      await expect.soft(last).toBeInViewport({ ratio: 1 });
      const letters = await last.evaluate((cell) =>
        Number.parseFloat(getComputedStyle(cell).fontSize),
      );
      expect.soft(letters / size.height, "letters by the screen's height").toBeGreaterThan(0.022);
    }
  }
  for (const width of [390, 768]) {
    await page.setViewportSize({ width, height: 800 });
    expect.soft(await tooWidePx(page)).toBeLessThanOrEqual(0);
  }
});

test("Full screen asks the browser for the whole screen", async ({ page }) => {
  await page.goto("/scoreboard?view=stage");
  await expectLive(page);
  await page.getByRole("button", { name: "Full screen" }).click();
  await expect.poll(() => page.evaluate(() => document.fullscreenElement?.tagName)).toBe("HTML");
  await page.evaluate(() => document.exitFullscreen());
});

test("the pages of the others turn by themselves, until they are paused", async ({ page }) => {
  await page.clock.install();
  await page.goto("/scoreboard?view=stage");
  await expectLive(page);
  const first = others(page).getByRole("rowheader").first();
  const turn = () => page.clock.runFor(PAGE_MS + 100);
  for (const name of ["Crew 11", "Crew 21", "Crew 31", "Crew 11"]) {
    await expect(first).toHaveText(name);
    await turn();
  }
  await expect(first).toHaveText("Crew 21");
  const pause = page.getByRole("button", { name: "Pause" });
  await pause.click();
  await expect(pause).toHaveAttribute("aria-pressed", "true");
  await page.clock.runFor(5 * PAGE_MS);
  await expect(first).toHaveText("Crew 21");
  await page.getByRole("button", { name: "Next" }).click();
  await expect(first).toHaveText("Crew 31");
  await page.getByRole("button", { name: "Previous" }).click();
  await page.getByRole("button", { name: "Previous" }).click();
  await expect(first).toHaveText("Crew 11");
});

test("who wants no motion turns the pages by hand", async ({ page }) => {
  await page.emulateMedia({ reducedMotion: "reduce" });
  await page.clock.install();
  await page.goto("/scoreboard?view=stage");
  await expectLive(page);
  await expect(page.getByRole("button", { name: "Next" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Pause" })).toHaveCount(0);
  await page.clock.runFor(3 * PAGE_MS);
  await expect(others(page).getByRole("rowheader").first()).toHaveText("Crew 11");
});

test("a first blood fills the middle of the screen for a moment, and the row moves", async ({
  page,
  program,
}) => {
  await page.goto("/scoreboard?view=stage");
  await expect(top(page).getByRole("rowheader")).toHaveCount(10);
  await expect(page.locator("[data-large=true]")).toBeAttached();
  const crew = crews[33];
  if (!crew) throw new Error("there are fewer teams than thought");
  await program.solve(crew.token, "welcome", "flag{w3lc0me_ab0ard}");
  const news = page.getByRole("status").filter({ hasText: "First blood" });
  await expect(news).toContainText(crew.name);
  await expect(news).toContainText("First to solve Welcome aboard");
  const letters = await news
    .getByText(crew.name)
    .evaluate((name) => Number.parseFloat(getComputedStyle(name).fontSize));
  expect(letters).toBeGreaterThan(60);
  await expect(top(page).getByRole("rowheader").first()).toHaveText(crew.name);
  await expect(news).toHaveCount(0, { timeout: 15_000 });
});

test("it says how the event stands", async ({ page, serve }) => {
  const frozen = await serve({ when: "frozen" });
  await page.goto(`${frozen.url}/scoreboard?view=stage`);
  await expect(page.getByText("Scoreboard frozen")).toBeVisible();
  const before = await serve({ when: "not started" });
  await page.goto(`${before.url}/scoreboard?view=stage`);
  await expect(page.getByText("CTF not started")).toBeVisible();
  await expect(page.getByRole("timer")).toHaveText(/^Starts in 0:59:\d\d|1:00:00$/);
  await expect(page.getByText("No team yet.")).toBeVisible();
});
