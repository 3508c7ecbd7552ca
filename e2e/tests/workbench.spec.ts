// The challenges in a large window: list and task side by side, each with its own scrolling.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Locator, Page } from "@playwright/test";
import { card, expectLive } from "../support/player.ts";
import { enter, expect, newTeam, test } from "../support/test.ts";

const DATA = process.env.FLAGSHIP_TEST_DATA ?? join(import.meta.dirname, "../../../shared/data");
const REAL = join(DATA, "challenges");
const REAL_COUNT = 75;
const WELCOME = "Welcome aboard";
const TIDE = "Rising tide";

test.use({ viewport: { width: 1440, height: 900 } });

/** Value of a key in a challenge file: of one line, or a block. */
function textOf(text: string, key: string): string {
  const block = text.match(new RegExp(`^${key}: *[|>][-+]? *\n((?:[ \t]+.*\n|\n)+)`, "m"))?.[1];
  if (block !== undefined) return block.replace(/^[ \t]{1,4}/gm, "");
  const line = text.match(new RegExp(`^${key}: *(.+)$`, "m"))?.[1] ?? "";
  return line.replace(/^(["'])(.*)\1$/, "$2").trim();
}

/** Files of challenges with names and texts of real events; the last one has all the texts. */
function realChallenges(): Record<string, string> {
  const files = readdirSync(REAL, { recursive: true, encoding: "utf8" }).sort();
  const texts = files
    .filter((file) => /challenge\.ya?ml$/.test(file))
    .map((file) => readFileSync(join(REAL, file), "utf8").replaceAll("\r", ""));
  const real = texts
    .map((text) => ({ name: textOf(text, "name"), description: textOf(text, "description") }))
    .filter(({ name, description }) => name.length > 1 && description.length > 1);
  const long = real.map(({ description }) => description).join("\n\n");
  const all = [...real.slice(0, REAL_COUNT), { name: "All texts", description: long }];
  return Object.fromEntries(
    all.map(({ name, description }, index) => {
      const category = JSON.stringify(`Category ${index % 12}`);
      const lines = [
        `id: real-${index}`,
        `name: ${JSON.stringify(`${name} ${index}`)}`,
        `value: ${100 + index}`,
        `category: ${category}`,
        "flags: [x]",
        `description: ${JSON.stringify(description)}`,
      ];
      return [`challenges/real-${index}/challenge.yml`, `${lines.join("\n")}\n`];
    }),
  );
}

/** True if a field is in the window and nothing covers it. */
function isSeen(field: Locator): Promise<boolean> {
  return field.evaluate((input) => {
    const { top, bottom, left, right } = input.getBoundingClientRect();
    if (top < 0 || bottom > window.innerHeight) return false;
    return document.elementFromPoint((left + right) / 2, (top + bottom) / 2) === input;
  });
}

/** Scrolls the first parent that scrolls to its end or start, and returns its position. */
function scroll(one: Locator, isToEnd: boolean): Promise<number> {
  return one.evaluate((element, isToEnd) => {
    let box: Element | null = element;
    while (box && !/auto|scroll/.test(getComputedStyle(box).overflowY)) box = box.parentElement;
    box?.scrollTo(0, isToEnd ? box.scrollHeight : 0);
    return box?.scrollTop ?? 0;
  }, isToEnd);
}

const list = (page: Page) => page.getByRole("region", { name: "Challenge list" });

test("the flag field of each of 75 real challenges is in view, wherever list and task are", async ({
  page,
  serve,
}) => {
  test.skip(!existsSync(REAL) && !process.env.CI, `there is no ${REAL}`);
  test.slow();
  const files = realChallenges();
  expect(Object.keys(files)).toHaveLength(REAL_COUNT + 1);
  const program = await serve({ files });
  await enter(page, program, await newTeam(program));
  await page.goto(`${program.url}/challenge`);
  await expect(page.getByRole("article")).toHaveCount(REAL_COUNT + 5);
  let scrolledPx = 0;
  for (let index = 0; index <= REAL_COUNT; index += 1) {
    const challenge = page.locator(`#challenge-real-${index}`);
    await challenge.locator("h3 button").click();
    const field = challenge.getByPlaceholder("flag");
    await expect(field).toBeFocused();
    expect(await isSeen(field), `real-${index}`).toBe(true);
    await scroll(list(page), index % 2 === 0);
    expect(await isSeen(field), `real-${index} with the list scrolled`).toBe(true);
    scrolledPx = await scroll(challenge.getByText("Ask the organizers"), true);
    expect(await isSeen(field), `real-${index} at the end of its task`).toBe(true);
    await scroll(challenge.getByText("Ask the organizers"), false);
    expect(await isSeen(field), `real-${index} at the start of its task`).toBe(true);
  }
  expect(scrolledPx, "the last task is longer than the window").toBeGreaterThan(900);
  expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBe(900);
});

test("without an open challenge, the page shows where to start and the latest solves", async ({
  page,
  serve,
}) => {
  const program = await serve({});
  const team = await newTeam(program, "Keel Haulers");
  await program.solve(team.token, "welcome", "flag{w3lc0me_ab0ard}");
  await enter(page, program, team);
  await page.goto(`${program.url}/challenge`);
  const start = page.getByRole("region", { name: "Start here" });
  const easiest = [/^Misc ?First at the oars/, /^Crypto ?Rising tide/, /^Web ?Below the hold/];
  await expect(start.getByRole("link")).toHaveText(easiest);
  await expect(start).toContainText("1 of 4 solved");
  const latest = page.getByRole("region", { name: "Latest solves" });
  await expect(latest.getByRole("listitem")).toHaveCount(1);
  await expect(latest).toContainText(/\d\d:\d\d.*Keel Haulers.*first blood.*Welcome aboard/);
  await start.getByRole("link", { name: /Rising tide/ }).click();
  await expect(card(page, TIDE).getByPlaceholder("flag")).toBeFocused();
  await expect(start).toHaveCount(0);
  await expect(list(page).getByRole("heading", { level: 2 })).toHaveText(["Misc", "Crypto", "Web"]);
  const snapshot = page.getByRole("table", { name: "Scoreboard snapshot" });
  await expect(snapshot).toBeInViewport({ ratio: 1 });
});

test("a very large window shows an open task's solves and the rest of its category", async ({
  page,
  serve,
}) => {
  const program = await serve({});
  const team = await newTeam(program, "Keel Haulers");
  await program.solve(team.token, "welcome", "flag{w3lc0me_ab0ard}");
  await enter(page, program, await newTeam(program));
  await page.setViewportSize({ width: 2560, height: 1440 });
  await page.goto(`${program.url}/challenge?open=welcome`);
  const task = card(page, WELCOME);
  await expect(task.getByRole("figure", { name: "Solves over time" })).toContainText("1 solve");
  const others = task.getByRole("region", { name: "Misc" }).getByRole("link");
  await expect(others.and(task.locator("[aria-current]"))).toContainText(WELCOME);
  const other = others.and(task.locator(":not([aria-current])")).first();
  await other.click();
  await expect(page).not.toHaveURL(/open=welcome/);
  await expect(page.getByPlaceholder("flag")).toHaveCount(1);
});

test("before the start, the page has the time left and no tools", async ({ page, serve }) => {
  const program = await serve({ when: "not started" });
  await enter(page, program, await newTeam(program));
  for (const size of [
    { width: 390, height: 844 },
    { width: 1440, height: 900 },
  ]) {
    await page.setViewportSize(size);
    await page.goto(`${program.url}/challenge`);
    await expect(list(page).getByRole("timer", { name: "Time until start" })).toBeVisible();
    await expect(list(page)).toContainText("Challenges will appear here when the CTF starts.");
    await expect(list(page).getByRole("listitem")).toHaveCount(3);
    await expect(page.getByRole("searchbox")).toHaveCount(0);
    await expect(page.getByRole("table")).toHaveCount(0);
  }
});

test("a large window shows one of several open challenges; a small one shows all", async ({
  page,
  team,
}) => {
  await page.goto("/challenge?open=welcome&open=tide");
  await expect(page.getByText(team.name).first()).toBeVisible();
  await expect(page.getByPlaceholder("flag")).toHaveCount(1);
  const tide = card(page, TIDE).getByRole("button", { name: TIDE });
  const welcome = card(page, WELCOME).getByRole("button", { name: WELCOME });
  await expect(tide).toHaveAttribute("aria-expanded", "true");
  await expect(welcome).toHaveAttribute("aria-expanded", "false");
  await welcome.click();
  await expect(page).toHaveURL(/\?open=welcome$/);
  await expect(welcome).toHaveAttribute("aria-expanded", "true");
  await welcome.click();
  await expect(page.getByPlaceholder("flag")).toHaveCount(0);
  await page.goto("/challenge?open=welcome&open=tide");
  for (const size of [
    { width: 1000, height: 900 },
    { width: 1440, height: 500 },
  ]) {
    await page.setViewportSize(size);
    await expect(page.getByPlaceholder("flag")).toHaveCount(2);
  }
});

test("one category alone and all again; the search keeps the task, Enter opens a match", async ({
  page,
  team,
}) => {
  await page.goto("/challenge?open=welcome");
  await expect(page.getByText(team.name).first()).toBeVisible();
  const filter = page.getByRole("region", { name: "Hide Categories" });
  await filter.getByRole("button", { name: "Only Crypto" }).click();
  await expect(page.getByRole("article")).toHaveCount(1);
  await filter.getByRole("button", { name: "Show all" }).click();
  await expect(page.getByRole("article")).toHaveCount(4);
  await page.keyboard.press("/");
  const search = page.getByRole("searchbox", { name: "Search challenges" });
  await expect(search).toBeFocused();
  await search.fill("rising");
  await expect(list(page).getByRole("heading", { level: 3 })).toHaveCount(1);
  await expect(card(page, WELCOME).getByPlaceholder("flag")).toBeVisible();
  await search.press("Enter");
  await expect(card(page, TIDE).getByPlaceholder("flag")).toBeFocused();
});

test("from another page to a solve with at most 12 keys, and text is never a shortcut", async ({
  page,
  team,
}) => {
  await page.goto("/rules");
  await expect(page.getByText(team.name).first()).toBeVisible();
  let keys = 0;
  const press = async (key: string) => {
    keys += 1;
    await page.keyboard.press(key);
  };
  await press("g");
  await press("c");
  await expectLive(page);
  await expect(card(page, WELCOME)).toBeVisible();
  await press("j");
  await expect(card(page, WELCOME).getByRole("button", { name: WELCOME })).toBeFocused();
  await press("Enter");
  const field = card(page, WELCOME).getByPlaceholder("flag");
  await expect(field).toBeFocused();
  await page.keyboard.type("hello crumbs");
  await expect(field).toHaveValue("hello crumbs");
  await expect(page).toHaveURL(/\/challenge\?open=welcome$/);
  await field.fill("flag{w3lc0me_ab0ard}");
  keys += 1;
  await press("Enter");
  await expect(card(page, WELCOME)).toContainText("Solved");
  expect(keys).toBeLessThanOrEqual(12);
});

test("Enter while the button counts down repeats the reason", async ({
  page,
  team,
  complaints,
}) => {
  complaints.allow(/status of 429/);
  await page.route("**/api/solve", (route) =>
    route.fulfill({
      status: 429,
      headers: { "Retry-After": "600" },
      json: { code: "flag_too_fast", message: "No." },
    }),
  );
  await page.goto("/challenge?open=welcome");
  await expect(page.getByText(team.name).first()).toBeVisible();
  const challenge = card(page, WELCOME);
  const field = challenge.getByPlaceholder("flag");
  await field.fill("flag{1}");
  await field.press("Enter");
  await expect(challenge.getByRole("button", { name: /^Wait \d+ s$/ })).toBeDisabled();
  const line = challenge.getByRole("status");
  await expect(line).toHaveText(/^Too many incorrect flags/);
  await field.press("x");
  await expect(line).toBeEmpty();
  await field.press("Enter");
  await expect(line).toHaveText(/^Too many incorrect flags/);
  const isMoving = () =>
    challenge
      .getByRole("button", { name: /^Wait/ })
      .evaluate((button) => button.getAnimations().length > 0);
  await field.press("Enter");
  expect(await isMoving()).toBe(true);
});

test("touch opens a challenge without the keyboard", async ({ browser, program, team }) => {
  const context = await browser.newContext({
    baseURL: program.url,
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
  });
  const phone = await context.newPage();
  await enter(phone, program, team);
  await phone.goto("/challenge");
  const challenge = card(phone, WELCOME);
  await challenge.getByRole("button", { name: WELCOME }).tap();
  await expect(challenge.getByPlaceholder("flag")).toBeVisible();
  await expect(challenge.getByPlaceholder("flag")).not.toBeFocused();
  await context.close();
});
