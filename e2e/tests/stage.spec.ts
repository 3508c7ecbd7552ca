// The projector view: full screen, large text, automatic paging, first bloods, and the directions
// for the start, the freeze and the end.

import type { Page } from "@playwright/test";
import { tokenColor } from "../support/color.ts";
import { tooWidePx } from "../support/page-checks.ts";
import { expectLive } from "../support/player.ts";
import { readQrCode } from "../support/qr-code.ts";
import { enter, expect, newTeam, type Team, test } from "../support/test.ts";

const TEAMS = 34;
const PAGE_MS = 10_000;
const ALTERNATE_MS = 30_000;
const HOUR_S = 3600;

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
  return page.getByRole("table", { name: "Top 10" });
}

function others(page: Page) {
  return page.getByRole("table", { name: "Other teams" });
}

test("only the board: the top ten, a page of the others, the time left", async ({ page }) => {
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
  await expect(page.getByRole("navigation", { name: "Scoreboard pages" })).toMatchAriaSnapshot(`
      - navigation "Scoreboard pages":
        - button "Previous"
        - text: Page 1 of 3
        - button "Next"
        - button "Pause"
        - button "Full screen"
        - link "Exit"
    `);
  await expect(top(page)).toMatchAriaSnapshot(`
    - table "Top 10":
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

test("it fills a screen without scrolling, in text readable across a hall", async ({ page }) => {
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
    // The rows are longer than the window; the way out is not below them.
    const exit = page.getByRole("link", { name: "Exit" });
    await expect.soft(exit).toBeInViewport({ ratio: 1 });
    expect.soft((await exit.boundingBox())?.height).toBeGreaterThanOrEqual(44);
  }
});

test("Full screen asks the browser for the whole screen", async ({ page }) => {
  await page.goto("/scoreboard?view=stage");
  await expectLive(page);
  await page.getByRole("button", { name: "Full screen" }).click();
  await expect.poll(() => page.evaluate(() => document.fullscreenElement?.tagName)).toBe("HTML");
  await page.evaluate(() => document.exitFullscreen());
});

test("the pages of the others turn automatically until paused", async ({ page }) => {
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

test("with reduced motion the pages turn manually", async ({ page }) => {
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

test("it shows the event's status", async ({ page, serve }) => {
  const frozen = await serve({ when: "frozen" });
  await page.goto(`${frozen.url}/scoreboard?view=stage`);
  await expect(page.getByText("Scoreboard frozen")).toBeVisible();
  const before = await serve({ when: "not started" });
  await page.goto(`${before.url}/scoreboard?view=stage`);
  await expect(page.getByText("CTF not started")).toBeVisible();
  await expect(page.getByRole("timer")).toHaveText(/^Starts in 0:59:\d\d|1:00:00$/);
  await expect(page.getByText("No teams yet.")).toBeVisible();
});

function graph(page: Page) {
  return page.getByRole("region", { name: "Top 10 over time" });
}

function clockColor(page: Page) {
  return page.getByRole("timer").evaluate((clock) => getComputedStyle(clock).color);
}

test("the graph alternates with the scoreboard, unless paused", async ({ page, serve }) => {
  const program = await serve({});
  const team = await newTeam(program, "Graph Painters");
  await page.clock.install();
  await page.goto(`${program.url}/scoreboard?view=stage`);
  await expect(top(page).getByRole("rowheader")).toHaveText([team.name]);
  // Without scores there is no graph to show.
  await page.clock.runFor(2 * ALTERNATE_MS);
  await expect(graph(page)).toHaveCount(0);
  await program.solve(team.token, "welcome", "flag{w3lc0me_ab0ard}");
  await page.clock.runFor(2000);
  const toggle = page.getByRole("button", { name: "Score graph" });
  await expect(toggle).toHaveAttribute("aria-pressed", "false");
  await page.clock.runFor(ALTERNATE_MS + 100);
  await expect(graph(page).locator("canvas")).toBeVisible();
  await expect(top(page)).toHaveCount(0);
  await expect(toggle).toHaveAttribute("aria-pressed", "true");
  await page.clock.runFor(ALTERNATE_MS + 100);
  await expect(top(page)).toBeVisible();
  await page.getByRole("button", { name: "Pause" }).click();
  await page.clock.runFor(4 * ALTERNATE_MS);
  await expect(top(page)).toBeVisible();
  await toggle.click();
  await expect(graph(page)).toBeVisible();
  await page.clock.runFor(4 * ALTERNATE_MS);
  await expect(graph(page)).toBeVisible();
  await page.emulateMedia({ reducedMotion: "reduce" });
  await page.reload();
  await expect(toggle).toBeVisible();
  await expect(page.getByRole("button", { name: "Pause" })).toHaveCount(0);
  await page.clock.runFor(4 * ALTERNATE_MS);
  await expect(top(page)).toBeVisible();
  await toggle.click();
  await expect(graph(page)).toBeVisible();
});

test("the last minute before the start fills the screen, and so does the start", async ({
  page,
  serve,
}) => {
  const program = await serve({ when: { start: 20, freeze: HOUR_S, end: 2 * HOUR_S } });
  await newTeam(program, "Early Birds");
  await page.goto(`${program.url}/scoreboard?view=stage`);
  const countdown = page.getByRole("timer", { name: /^Starts in \d+$/ });
  await expect(countdown).toBeVisible();
  await expect(countdown).toHaveCSS("position", "fixed");
  // The digits are redrawn each second, and have no box in between.
  const digits = countdown.locator("text");
  const height = async () => (await digits.boundingBox())?.height ?? 0;
  await expect.poll(height).toBeGreaterThan(1080 * 0.3);
  const begun = page.getByRole("status").getByText("The CTF has started!");
  await expect(begun).toBeVisible({ timeout: 30_000 });
  await expect(countdown).toHaveCount(0);
  await expect(begun).toHaveCount(0, { timeout: 15_000 });
  await expect(top(page).getByRole("rowheader")).toHaveText(["Early Birds"]);
  // Opened later, nothing is announced.
  await page.reload();
  await expectLive(page);
  await expect(begun).toHaveCount(0);
});

test("at the freeze frost covers the rows of the other teams once", async ({ page, serve }) => {
  const program = await serve({});
  const names = ["Northern", "Eastern", "Southern"];
  const teams: Team[] = [];
  for (const name of names) teams.push(await newTeam(program, name));
  await enter(page, program, teams[2] ?? { name: "", token: "" });
  await page.goto(`${program.url}/scoreboard?view=stage`);
  await expect(top(page).getByRole("rowheader")).toHaveCount(names.length);
  await expectLive(page);
  await page.evaluate(() => {
    const rows: string[] = [];
    Reflect.set(window, "frosted", rows);
    document.addEventListener("animationstart", ({ animationName, target, pseudoElement }) => {
      const row = target instanceof Element ? target.closest("tr") : null;
      const isFrost = animationName.includes("frost") && pseudoElement === "::after";
      if (isFrost) rows.push(row?.querySelector("th")?.textContent ?? "");
    });
  });
  const frosted = () => page.evaluate(() => Reflect.get(window, "frosted"));
  expect(await frosted()).toEqual([]);
  await program.reschedule({ freeze: -1 });
  await expect(page.getByText("Scoreboard frozen")).toBeVisible();
  await expect.poll(frosted).toEqual(["Eastern", "Northern"]);
  expect(await clockColor(page)).toBe(await tokenColor(page, "--ice"));
  await expect(page.locator("[data-freezing=true]")).toHaveCount(0);
  // The team's own solve since then is not for the hall.
  await program.solve(teams[2]?.token ?? "", "welcome", "flag{w3lc0me_ab0ard}");
  await newTeam(program, "Western");
  await expect(top(page).getByRole("rowheader")).toHaveCount(names.length + 1);
  await expect(top(page).getByRole("cell", { name: "100" })).toHaveCount(0);
  expect(await frosted()).toEqual(["Eastern", "Northern"]);
  await page.reload();
  await expectLive(page);
  await expect(page.locator("[data-freezing=true]")).toHaveCount(0);
});

test("the clock is amber in the last ten minutes, and red in the last", async ({ page, serve }) => {
  const program = await serve({ when: { start: -HOUR_S, freeze: 1200, end: 1800 } });
  await page.goto(`${program.url}/scoreboard?view=stage`);
  await expectLive(page);
  expect(await clockColor(page)).toBe(await tokenColor(page, "--text"));
  await program.reschedule({ freeze: -60, end: 300 });
  const warning = await tokenColor(page, "--warning");
  await expect.poll(() => clockColor(page)).toBe(warning);
  await program.reschedule({ end: 50 });
  const danger = await tokenColor(page, "--danger");
  await expect.poll(() => clockColor(page)).toBe(danger);
});

test("few teams fill the wall", async ({ page, serve }) => {
  const program = await serve({});
  await page.goto(`${program.url}/scoreboard?view=stage`);
  await expect(page.getByText("No teams yet.")).toBeVisible();
  for (const count of [1, 3]) {
    while ((await top(page).getByRole("rowheader").count()) < count) {
      const { name } = await newTeam(program);
      await expect(top(page).getByRole("rowheader", { name })).toBeVisible();
    }
    for (const size of [
      { width: 1440, height: 900 },
      { width: 2560, height: 1440 },
    ]) {
      await page.setViewportSize(size);
      const box = await top(page).boundingBox();
      expect.soft((box?.height ?? 0) / size.height, `${count} teams`).toBeGreaterThan(0.6);
      expect.soft((box?.width ?? 0) / size.width, `${count} teams`).toBeGreaterThan(0.9);
      const height = await page.evaluate(() => document.documentElement.scrollHeight);
      expect.soft(height).toBeLessThanOrEqual(size.height);
    }
  }
});

test("the corner has the site's address as a QR code, and the last three solves", async ({
  page,
  serve,
}) => {
  const program = await serve({});
  const teams: Team[] = [];
  for (const name of ["First In", "Second In", "Third In", "Fourth In"]) {
    teams.push(await newTeam(program, name));
  }
  await page.goto(`${program.url}/scoreboard?view=stage`);
  const code = page.getByRole("img", { name: `QR code: ${program.url}/` });
  await expect(code).toBeVisible();
  expect(await readQrCode(code)).toBe(`${program.url}/`);
  const solves = page.getByRole("list", { name: "Latest solves" });
  await expect(solves).toHaveCount(0);
  for (const { token } of teams) await program.solve(token, "welcome", "flag{w3lc0me_ab0ard}");
  await expect(solves.getByRole("listitem")).toHaveText(
    ["Fourth In", "Third In", "Second In"].map((name) => new RegExp(`${name}.* solved .*Welcome`)),
  );
});
