// The scoreboard with 120 teams: columns, marks, pages, the own row.

import type { Locator, Page } from "@playwright/test";
import { tokenColor } from "../support/color.ts";
import { enter, expect, newTeam, test } from "../support/test.ts";

const TEAMS = 120;
const PAGE_ROWS = 50;
const UTC = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC$/;

let tokens = new Map<string, string>();

function nameOf(number: number): string {
  return `Team ${String(number).padStart(3, "0")}`;
}

// Counts must not include teams of other test files.
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
  return page.getByRole("navigation", { name: "Scoreboard pages" });
}

async function colorOf(mark: Locator): Promise<string> {
  return mark.evaluate((element) => getComputedStyle(element.firstElementChild ?? element).color);
}

/** True if red dominates a computed color. */
function isRed(color: string): boolean {
  const [red = 0, green = 0, blue = 0] = color.match(/[\d.]+/g)?.map(Number) ?? [];
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
    "Trend (ranks gained or lost in the last 15 minutes)",
    "100",
    "–",
    "459",
    "200",
  ]);
  for (const name of ["Welcome aboard", "First at the oars", "Rising tide", "Below the hold"]) {
    const header = board(page).getByRole("columnheader", { name: new RegExp(`^${name}`) });
    await header.hover();
    await expect(page.getByRole("tooltip")).toContainText(name);
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

test("a first blood is red and has its own shape; all solves show their time in UTC", async ({
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
  expect(isRed(await colorOf(first)), await colorOf(first)).toBe(true);
  expect(isRed(await colorOf(later)), await colorOf(later)).toBe(false);
  expect(await shapeOf(later)).not.toBe(await shapeOf(first));
  // Positions follow the order of solves, not the rank: the leader was second here.
  await expect(row(page, 20).getByRole("img", { name: /^Rising tide: first blood/ })).toBeVisible();
});

test("a speedrun's first three have distinct medals, later ones none", async ({ page }) => {
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
    seen.push(`${await colorOf(mark)} ${await shapeOf(mark)}`);
  }
  const [gold, silver, bronze, fourth, fifth] = seen;
  expect(gold).toContain(await tokenColor(page, "--gold"));
  expect(silver).toContain(await tokenColor(page, "--silver"));
  expect(bronze).toContain(await tokenColor(page, "--bronze"));
  expect(fourth).toBe(fifth);
  expect(new Set(seen).size).toBe(4);
  const shapes = await Promise.all(marks.slice(0, 4).map(shapeOf));
  expect(new Set(shapes).size, "medals differ by more than color").toBe(4);
});

test("fifty rows per page, with numbered buttons", async ({ page }) => {
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

test("narrow screens have previous and next with the current page between", async ({ page }) => {
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

test("the own row is marked on its page, and appears below every other page", async ({
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

test("a loading placeholder is shown until the board loads", async ({ page }) => {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.routeWebSocket("**/api/live", async (socket) => {
    await held;
    socket.connectToServer();
  });
  await page.goto("/scoreboard");
  const loading = page.getByRole("status", { name: "Loading scoreboard…" });
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

function podium(page: Page): Locator {
  return page.getByRole("list", { name: "Top three" });
}

test("the podium has the first three with their distances, on the first page only", async ({
  page,
}) => {
  await page.goto("/scoreboard");
  const places = podium(page).getByRole("listitem");
  await expect(places).toHaveCount(3);
  for (const index of [0, 1, 2]) {
    const line = board(page)
      .getByRole("row")
      .nth(2 + index);
    const points = await line.getByRole("cell").nth(2).textContent();
    await expect(places.nth(index)).toContainText(await line.getByRole("rowheader").innerText());
    await expect(places.nth(index)).toContainText(points ?? "none");
  }
  await expect(places.first()).toContainText(/\d+ points? ahead/);
  await expect(places.nth(1)).toContainText(/\d+ points? behind/);
  await page.goto("/scoreboard?page=2");
  await expect(names(page)).toHaveCount(PAGE_ROWS);
  await expect(podium(page)).toHaveCount(0);
});

test("a row shows the ranks gained or lost in the last 15 minutes", async ({ page }) => {
  // All solves are 20 minutes old, except that which took the leader to the top, and those of a
  // team that had none.
  const isRecent = (name: string, isTide: boolean) =>
    (name === nameOf(10) && isTide) || name === nameOf(1);
  await page.routeWebSocket("**/api/live", (socket) => {
    const server = socket.connectToServer();
    server.onMessage((message) => {
      const said = JSON.parse(String(message));
      const tide = said.challenges?.findIndex(({ id }: { id: string }) => id === "tide");
      for (const line of said.scoreboard ?? []) {
        for (const [index, solve] of Object.entries<number[]>(line[2])) {
          if (!isRecent(line[0], Number(index) === tide)) solve[1] = (solve[1] ?? 0) - 1200;
        }
        if (!isRecent(line[0], true) && line[3] > 0) line[3] -= 1200;
      }
      socket.send(JSON.stringify(said));
    });
  });
  await page.goto("/scoreboard");
  await expect(row(page, 10)).toContainText("▲1");
  await expect(row(page, 10)).toContainText("up 1");
  await expect(row(page, 20)).toContainText("▼1");
  await expect(row(page, 20)).toContainText("down 1");
  await expect(row(page, 1)).not.toContainText(/[▲▼]/);
});

test("the own row is at the bottom edge while it is out of view", async ({ page, program }) => {
  const name = nameOf(44);
  await enter(page, program, { name, token: tokens.get(name) ?? "" });
  await page.goto("/scoreboard");
  const bar = page.getByRole("button", { name: "Go to your team's row" });
  await expect(bar).toBeInViewport({ ratio: 1 });
  await expect(bar).toContainText(name);
  const height = page.viewportSize()?.height ?? 0;
  const box = await bar.boundingBox();
  expect(Math.abs(height - (box?.y ?? 0) - (box?.height ?? 0))).toBeLessThan(1);
  await expect(row(page, 44)).not.toBeInViewport();
  // Its cells are below those of the table.
  const columns = board(page).getByRole("columnheader");
  const head = await columns.filter({ hasText: /^Score$/ }).boundingBox();
  const score = await bar.locator("td").nth(2).boundingBox();
  expect(score?.x).toBeCloseTo(head?.x ?? 0, 0);
  expect(score?.width).toBeCloseTo(head?.width ?? 0, 0);
  await expect(bar.locator("td")).toHaveCount(await row(page, 44).getByRole("cell").count());
  await bar.click();
  await expect(row(page, 44)).toBeInViewport();
  await expect(bar).toHaveCount(0);
  await expect(row(page, 44).getByRole("link")).toBeFocused();
  await page.getByRole("heading", { level: 1 }).scrollIntoViewIfNeeded();
  await expect(bar).toBeInViewport();
});

test("the names above the columns end over the trend, and none is cut off", async ({ page }) => {
  await page.goto("/scoreboard");
  const trend = await board(page)
    .getByRole("columnheader", { name: /^Trend/ })
    .boundingBox();
  const last = await board(page).getByRole("columnheader").last().boundingBox();
  expect(trend?.x).toBeGreaterThanOrEqual((last?.x ?? 0) + (last?.width ?? 0) - 1);
  const frame = page.getByRole("region", { name: "Scoreboard" });
  await expect(frame.locator("[data-name]").first()).toBeVisible();
  expect(await frame.evaluate((box) => box.scrollWidth - box.clientWidth)).toBe(0);
});

test("the name of a column appears on keyboard focus, and Esc hides it", async ({ page }) => {
  await page.goto("/scoreboard");
  await page.getByRole("region", { name: "Scoreboard" }).focus();
  await page.keyboard.press("Tab");
  const tip = page.getByRole("tooltip");
  await expect(tip).toContainText("Welcome aboard");
  await expect(tip).toBeInViewport({ ratio: 1 });
  await page.keyboard.press("Escape");
  await expect(tip).toBeHidden();
});

test.describe("on a phone", () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true });

  test("a tap on a column's value shows its name, and a button for the solvers", async ({
    page,
  }) => {
    await page.goto("/scoreboard");
    const region = page.getByRole("region", { name: "Scoreboard" });
    await expect(region).toBeVisible();
    await region.evaluate((box) => box.scrollTo({ left: 200 }));
    await board(page)
      .getByRole("button", { name: /of Rising tide$/ })
      .tap();
    const open = page.getByRole("button", { name: "Solvers of Rising tide", exact: true });
    await expect(open).toBeInViewport({ ratio: 1 });
    await expect(page.getByRole("dialog")).toHaveCount(0);
    await open.tap();
    await expect(page.getByRole("dialog", { name: "Solvers of Rising tide" })).toBeVisible();
  });

  test("a team has a strip of ticks; rank, name and score stay beside the challenges", async ({
    page,
  }) => {
    await page.goto("/scoreboard");
    const own = row(page, 30);
    const strip = own.getByRole("rowheader").locator("svg").last();
    await expect(strip).toBeVisible();
    await expect(page.getByText("One tick per challenge; a tall red one")).toBeVisible();
    const blood = await tokenColor(page, "--blood");
    const ticks = await strip.locator("path").evaluateAll((paths) =>
      paths.map((path) => ({
        color: getComputedStyle(path).stroke,
        count: (path.getAttribute("d") ?? "").split("M").length - 1,
        top: (path as SVGPathElement).getBBox().y,
      })),
    );
    expect(ticks[0]?.count, "a tick for each challenge").toBe(4);
    expect(ticks.filter(({ color, count }) => color === blood && count === 1)).toHaveLength(1);
    const tops = ticks.slice(1).filter(({ count }) => count > 0);
    expect(Math.min(...tops.map(({ top }) => top))).toBe(
      ticks.find((one) => one.color === blood)?.top,
    );
    const region = page.getByRole("region", { name: "Scoreboard" });
    const solve = own.getByRole("img", { name: /^First at the oars/ });
    const seen = await region.boundingBox();
    expect((await solve.boundingBox())?.x).toBeGreaterThan(
      (seen?.x ?? 0) + (seen?.width ?? 0) - 40,
    );
    await region.evaluate((box) => box.scrollTo({ left: box.scrollWidth }));
    await expect(solve).toBeInViewport();
    const name = await own.getByRole("link").boundingBox();
    const mark = await solve.boundingBox();
    expect(name?.x).toBeGreaterThan(seen?.x ?? 0);
    const score = own.getByRole("cell").nth(2);
    await expect(score).toBeInViewport({ ratio: 1 });
    const { x = 0, width = 0 } = (await score.boundingBox()) ?? {};
    expect((name?.x ?? 0) + (name?.width ?? 0)).toBeLessThanOrEqual(x);
    expect(x + width).toBeLessThan(mark?.x ?? 0);
    await expect(strip).toBeHidden();
    await expect(own.getByRole("cell").first()).toBeInViewport({ ratio: 1 });
  });
});

test("without teams, the board invites to sign up", async ({ page, serve }) => {
  const program = await serve({ when: "not started" });
  await page.goto(`${program.url}/scoreboard`);
  await expect(
    page.getByRole("heading", { name: "The pier is empty. Be the first." }),
  ).toBeVisible();
  await expect(page.getByRole("main").getByRole("timer")).toHaveText(/^Starts in [\d:]+$/);
  await page.getByRole("main").getByRole("link", { name: "Sign up your team" }).click();
  await expect(page).toHaveURL(/\/signup/);
});

test("few teams have high rows, and their graph below; a new leader is announced", async ({
  page,
  serve,
}) => {
  const program = await serve({});
  const first = await newTeam(program, "Anchor Aces");
  await program.solve(first.token, "tide", "flag{t1de}");
  await page.goto(`${program.url}/scoreboard`);
  const line = (name: string) => board(page).getByRole("row").filter({ hasText: name });
  await expect(line("Anchor Aces")).toHaveCSS("height", "64px");
  await expect(page.getByRole("region", { name: "Top 10 over time" })).toBeVisible();
  await expect(podium(page)).toHaveCount(0);
  const second = await newTeam(program, "Bilge Rats");
  await newTeam(program, "Crow Nest");
  await expect(podium(page).getByRole("listitem")).toHaveCount(3);
  await expect(podium(page).getByRole("listitem").last()).toContainText("Still open");
  await program.solve(second.token, "tide", "flag{t1de}");
  await program.solve(second.token, "welcome", "flag{w3lc0me_ab0ard}");
  const announced = page.getByRole("status").filter({ hasText: "Bilge Rats takes the lead." });
  await expect(announced).toBeVisible();
  await expect(podium(page).getByRole("listitem").first()).toContainText("Bilge Rats");
  await page.getByRole("button", { name: "Score graph" }).click();
  await expect(page.getByRole("region", { name: "Top 10 over time" })).toHaveCount(0);
});
