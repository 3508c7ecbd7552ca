// The scoreboard with 120 teams: columns, marks, pages, the own row.

import type { Locator, Page } from "@playwright/test";
import { tokenColour } from "../support/colour.ts";
import { enter, expect, test } from "../support/test.ts";

const TEAMS = 120;
const PAGE_ROWS = 50;
const UTC = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC$/;

let tokens = new Map<string, string>();

function nameOf(number: number): string {
  return `Team ${String(number).padStart(3, "0")}`;
}

// What is counted here may hold no team of another file.
test.use({ own: "scoreboard" });

test.beforeAll(async ({ program }) => {
  const numbers = Array.from({ length: TEAMS }, (_, index) => index + 1);
  const teams = numbers.map((number) => {
    const name = nameOf(number);
    return { name, email: `team-${number}@example.org`, country: "JP", password: "" };
  });
  tokens = await program.importTeams(teams);
  const solve = (number: number, id: string, flag: string) =>
    program.solve(tokens.get(nameOf(number)) ?? "", id, flag);
  for (const number of [10, 20, 30, 40, 50]) {
    await solve(number, "oars", "flag{r0w}");
  }
  for (const number of [20, 10]) {
    await solve(number, "tide", "FLAG{T1DE}");
  }
  for (const number of [30, 10, 40, 50]) {
    await solve(number, "welcome", "flag{w3lc0me_ab0ard}");
  }
});

function board(page: Page): Locator {
  return page.getByRole("table", { name: "Scoreboard", exact: true });
}

function names(page: Page): Locator {
  return board(page).getByRole("rowheader");
}

function row(page: Page, number: number): Locator {
  return board(page)
    .getByRole("row")
    .filter({ hasText: nameOf(number) });
}

function pager(page: Page): Locator {
  return page.getByRole("navigation", { name: "Pages of the scoreboard" });
}

async function colourOf(mark: Locator): Promise<string> {
  return mark.evaluate((element) => getComputedStyle(element.firstElementChild ?? element).color);
}

/** Whether a computed colour is more red than anything else. */
function isRed(colour: string): boolean {
  const [red = 0, green = 0, blue = 0] = colour.match(/[\d.]+/g)?.map(Number) ?? [];
  return red > 2 * green && red > 2 * blue;
}

async function shapeOf(mark: Locator): Promise<string> {
  return mark.evaluate((element) => {
    const shapes = element.querySelectorAll("path, circle, text, rect, polygon");
    return [...shapes].map((shape) => shape.getAttribute("d") ?? shape.outerHTML).join();
  });
}

test("columns: rank, country, team, score, and each challenge under its first category", async ({
  page,
}) => {
  await page.goto("/scoreboard");
  await expect(names(page)).toHaveCount(PAGE_ROWS);
  const [groups, columns] = await board(page).getByRole("row").all();
  const spans = await groups
    ?.getByRole("columnheader")
    .evaluateAll((cells) =>
      cells.map((cell) => `${cell.textContent} ${cell.getAttribute("colspan")}`),
    );
  expect(spans).toEqual(["Misc 2", "Crypto 1", "Web 1"]);
  const headers = columns?.getByRole("columnheader");
  await expect(headers ?? page.locator("none")).toHaveText([
    "#",
    "Country",
    "Team",
    "Score",
    "100",
    "–",
    "459",
    "200",
  ]);
  for (const name of ["Welcome aboard", "First at the oars", "Rising tide", "Below the hold"]) {
    const header = board(page).getByRole("columnheader", { name: new RegExp(`^${name}`) });
    await expect(header).toHaveAttribute("title", name);
  }
});

test("rows are ranked by points, then by the earlier last solve, then by name", async ({
  page,
}) => {
  await page.goto("/scoreboard");
  const first = ["010", "020", "030", "040", "050", "001", "002"].map((number) => `Team ${number}`);
  await expect(names(page).nth(6)).toHaveText("Team 002");
  expect((await names(page).allTextContents()).slice(0, 7)).toEqual(first);
  const cells = row(page, 10).getByRole("cell");
  await expect(cells.first()).toHaveText("1");
  await expect(cells.nth(2)).toHaveText(String(150 + 459 + 100));
  await expect(row(page, 10).getByRole("img", { name: "Japan" })).toBeVisible();
});

test("a first solve is red and of another shape than a later one; both say when, in UTC", async ({
  page,
}) => {
  await page.goto("/scoreboard");
  const first = row(page, 30).getByRole("img", { name: /^Welcome aboard: first blood, / });
  const later = row(page, 10).getByRole("img", { name: /^Welcome aboard: solved, / });
  for (const mark of [first, later]) {
    await expect(mark).toHaveAttribute("title", UTC);
    const title = (await mark.getAttribute("title")) ?? "";
    expect(await mark.getAttribute("aria-label")).toContain(title);
    const seconds = Date.parse(title.replace(" UTC", "Z").replace(" ", "T")) / 1000;
    expect(Math.abs(Date.now() / 1000 - seconds)).toBeLessThan(600);
  }
  expect(isRed(await colourOf(first)), await colourOf(first)).toBe(true);
  expect(isRed(await colourOf(later)), await colourOf(later)).toBe(false);
  expect(await shapeOf(later)).not.toBe(await shapeOf(first));
  // Positions are those of the answers, whatever the rank: the leader was second here.
  await expect(row(page, 20).getByRole("img", { name: /^Rising tide: first blood/ })).toBeVisible();
});

test("a speedrun's first three have medals of their own, the fourth and later none", async ({
  page,
}) => {
  await page.goto("/scoreboard");
  const words = ["solved first", "solved second", "solved third", "solved", "solved"];
  const marks = words.map((word, index) =>
    row(page, (index + 1) * 10).getByRole("img", {
      name: new RegExp(`^First at the oars: ${word}, \\d{4}-.* UTC$`),
    }),
  );
  const seen: string[] = [];
  for (const mark of marks) {
    await expect(mark).toHaveAttribute("title", UTC);
    seen.push(`${await colourOf(mark)} ${await shapeOf(mark)}`);
  }
  const [gold, silver, bronze, fourth, fifth] = seen;
  expect(gold).toContain(await tokenColour(page, "--gold"));
  expect(silver).toContain(await tokenColour(page, "--silver"));
  expect(bronze).toContain(await tokenColour(page, "--bronze"));
  expect(fourth).toBe(fifth);
  expect(new Set(seen).size).toBe(4);
  const shapes = await Promise.all(marks.slice(0, 4).map(shapeOf));
  expect(new Set(shapes).size, "a medal is not told by its colour alone").toBe(4);
});

test("fifty rows a page under numbered buttons, as many as it takes", async ({ page }) => {
  await page.goto("/scoreboard");
  await expect(names(page)).toHaveCount(PAGE_ROWS);
  const pages = pager(page).getByRole("listitem").getByRole("link");
  await expect(pages).toHaveText(["1", "2", "3"]);
  await expect(pages.first()).toHaveAttribute("aria-current", "page");
  await pages.nth(2).click();
  await expect(page).toHaveURL(/[?&]page=3/);
  await expect(names(page)).toHaveCount(TEAMS - 2 * PAGE_ROWS);
  await expect(names(page).last()).toHaveText(nameOf(TEAMS));
  await expect(pages.nth(2)).toHaveAttribute("aria-current", "page");
  await expect(row(page, TEAMS).getByRole("cell").first()).toHaveText(String(TEAMS));
  await expect(pager(page).getByText("Next", { exact: true })).toBeHidden();
  await page.goto("/scoreboard?page=2");
  await expect(names(page)).toHaveCount(PAGE_ROWS);
});

test("a hand's width has previous and next with the current page between", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto("/scoreboard");
  await expect(pager(page).getByText("Page 1 of 3")).toBeVisible();
  await expect(pager(page).getByRole("link", { name: "Page 2", exact: true })).toBeHidden();
  await expect(pager(page).getByRole("link", { name: "Previous" })).toHaveCount(0);
  await pager(page).getByRole("link", { name: "Next" }).click();
  await expect(pager(page).getByText("Page 2 of 3")).toBeVisible();
  await pager(page).getByRole("link", { name: "Next" }).click();
  await expect(pager(page).getByText("Page 3 of 3")).toBeVisible();
  await expect(pager(page).getByRole("link", { name: "Next" })).toHaveCount(0);
  await pager(page).getByRole("link", { name: "Previous" }).click();
  await expect(names(page)).toHaveCount(PAGE_ROWS);
});

test("the own row is marked on its page, and stands below every other page", async ({
  page,
  program,
}) => {
  const name = nameOf(TEAMS);
  await enter(page, program, { name, token: tokens.get(name) ?? "" });
  await page.goto("/scoreboard");
  await expect(names(page)).toHaveCount(PAGE_ROWS + 1);
  const own = board(page).getByRole("row").and(page.locator('[aria-current="true"]'));
  await expect(own).toHaveCount(1);
  await expect(names(page).last()).toContainText(name);
  await expect(names(page).last()).toContainText("your team");
  await expect(own.getByRole("cell").first()).toHaveText(String(TEAMS));
  const ground = (one: Locator) => one.evaluate((drawn) => getComputedStyle(drawn).backgroundColor);
  expect(await ground(own)).not.toBe(await ground(row(page, 1)));
  await page.goto("/scoreboard?page=3");
  await expect(names(page)).toHaveCount(TEAMS - 2 * PAGE_ROWS);
  await expect(own).toHaveCount(1);
  await expect(own).toContainText(name);
});

test("a loading placeholder stands until the board is there", async ({ page }) => {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.routeWebSocket("**/api/live", async (socket) => {
    await held;
    socket.connectToServer();
  });
  await page.goto("/scoreboard");
  const loading = page.getByRole("status", { name: "Loading the scoreboard" });
  await expect(loading).toBeVisible();
  await expect(board(page)).toHaveCount(0);
  release();
  await expect(names(page)).toHaveCount(PAGE_ROWS);
  await expect(loading).toHaveCount(0);
});

test("a solve moves the row on an open page and changes the value of its column", async ({
  page,
  program,
}) => {
  await page.goto("/scoreboard");
  await expect(row(page, 1)).toBeVisible();
  const before = await row(page, 1).getByRole("cell").first().textContent();
  await program.solve(tokens.get(nameOf(1)) ?? "", "tide", "flag{t1de}");
  await expect(row(page, 1).getByRole("img", { name: /^Rising tide: solved/ })).toBeVisible();
  await expect(board(page).getByRole("columnheader", { name: /^Rising tide/ })).toHaveText("424");
  expect(await row(page, 1).getByRole("cell").first().textContent()).not.toBe(before);
});
