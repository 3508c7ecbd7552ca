// Team pages: links from any name, the scoreboard's numbers, and the freeze.

import type { Locator, Page } from "@playwright/test";
import { tokenHex } from "../support/color.ts";
import { tooWidePx } from "../support/page-checks.ts";
import { expectLive } from "../support/player.ts";
import { enter, expect, newTeam, test } from "../support/test.ts";

const NAMES = [
  "a/b/../c",
  "%2e",
  "%2E%2E",
  "...",
  "50% off",
  "a&b #c?d=e",
  "<b>bold</b>",
  "back\\slash",
  "🐙🐙🐙",
  "فريق النور",
  "צוות הים 42!",
];

function title(page: Page, name: string) {
  return page.getByRole("heading", { level: 1, name, exact: true });
}

/** A statistic at the top of the page. */
function fact(page: Page, name: string) {
  return page.getByRole("term").filter({ hasText: name }).locator("+ dd");
}

test("any name links from the board to its page, which has its own URL", async ({
  page,
  serve,
}) => {
  test.slow();
  const program = await serve({});
  for (const name of NAMES) {
    await newTeam(program, name);
  }
  for (const name of NAMES) {
    await page.goto(`${program.url}/scoreboard`);
    await page.getByRole("link", { name, exact: true }).click();
    await expect(title(page, name)).toBeVisible();
    const answer = await page.reload();
    expect(answer?.status(), page.url()).toBe(200);
    await expect(title(page, name)).toBeVisible();
    await expect(title(page, name).locator("bdi")).toHaveText(name);
    expect(await tooWidePx(page)).toBeLessThanOrEqual(0);
    const { teamName } = await (
      await program.call("", "GET", `/team/${encodeURIComponent(name)}`)
    ).json();
    expect(teamName).toBe(name);
  }
});

test("names that are not valid in a path have a URL too", async ({ page, program }) => {
  // This name is rejected at signup, but real events have had such names.
  await page.routeWebSocket("**/api/live", (socket) => {
    socket.connectToServer().onMessage((text) => {
      const message = JSON.parse(text.toString());
      message.scoreboard?.push([".", "IT", {}, 0], ["..", "FR", {}, 0]);
      socket.send(JSON.stringify(message));
    });
  });
  for (const [name, country] of [
    [".", "Italy"],
    ["..", "France"],
  ] as const) {
    await page.goto("/scoreboard");
    await page.getByRole("link", { name, exact: true }).click();
    await expect(title(page, name)).toBeVisible();
    expect(new URL(page.url()).pathname).toBe("/team");
    const answer = await page.goto(`${program.url}/team?name=${name}`);
    // Only this test's fake scoreboard has the team.
    expect(answer?.status()).toBe(404);
    await expect(title(page, name)).toBeVisible();
    await expect(page.getByRole("main").getByText(country)).toBeVisible();
  }
});

test("rank, points, solves and score history match the board, and update live", async ({
  page,
  serve,
}) => {
  const program = await serve({});
  const ours = await newTeam(program, "Harbour Cats", "GR");
  const rival = await newTeam(program, "Keel Haulers", "ES");
  await program.solve(ours.token, "oars", "flag{r0w}");
  await program.solve(rival.token, "welcome", "flag{w3lc0me_ab0ard}");
  await program.solve(ours.token, "tide", "flag{t1de}");
  await enter(page, program, ours);
  await page.goto(`${program.url}/team/Harbour%20Cats`);
  await expectLive(page);
  await expect(page.getByRole("main")).toMatchAriaSnapshot(`
    - main:
      - heading "Harbour Cats" [level=1]
      - paragraph: Greece (your team)
      - status: Live
      - term: Rank
      - definition: 1 of 2 teams
      - term: Points
      - definition: "650"
      - term: Solves
      - definition: "2"
      - region "Score over time":
        - heading "Score over time" [level=2]
        - img "Score over time. The solves table below has the same data."
      - region "Solves":
        - heading "Solves" [level=2]
        - region "Team solves":
          - table:
            - rowgroup:
              - row "Challenge Category Position Current points Running score Time"
            - rowgroup:
              - row /First at the oars Misc .*solved first.* 150 150 .* UTC/:
                - rowheader "First at the oars":
                  - link "First at the oars":
                    - /url: /challenge?open=oars
              - row /Rising tide Crypto .*first blood.* 500 650 .* UTC/
  `);
  await page.evaluate(() => Reflect.set(window, "loadedOnce", true));
  // Another solve lowers a dynamic challenge's points for all its solvers.
  await program.solve(rival.token, "tide", "flag{t1de}");
  await expect(fact(page, "Points")).toHaveText("609");
  await newTeam(program, "Third Mates");
  await expect(fact(page, "Rank")).toHaveText("1 of 3 teams");
  expect(await page.evaluate(() => Reflect.get(window, "loadedOnce"))).toBe(true);

  await page.getByRole("link", { name: "Rising tide" }).click();
  await expect(page).toHaveURL(/\/challenge\?open=/);
  await expect(page.getByRole("article", { name: "Rising tide" })).toContainText("Solved");
});

/** The paths and colors of the first pennant in a part of the page. */
function pennantIn(part: Locator): Promise<string> {
  return part
    .locator('svg[viewBox="0 0 24 18"]')
    .first()
    .evaluate((pennant) =>
      [pennant, ...pennant.children]
        .map((shape) => `${shape.getAttribute("d")} ${getComputedStyle(shape).color}`)
        .join(),
    );
}

test("a team has the same pennant on its page, in the bar and on the scoreboard", async ({
  page,
  program,
}) => {
  const mine = await newTeam(program, "Signal Hands");
  await newTeam(program, "Other Hands");
  await enter(page, program, mine);
  await page.goto("/team/Signal%20Hands");
  await expect(title(page, "Signal Hands")).toBeVisible();
  const pennant = await pennantIn(page.getByRole("main"));
  expect(pennant).toContain("M");
  expect(await pennantIn(page.getByRole("navigation").first())).toBe(pennant);
  await page.goto("/scoreboard");
  const row = (name: string) => page.getByRole("row").filter({ hasText: name });
  expect(await pennantIn(row("Signal Hands"))).toBe(pennant);
  expect(await pennantIn(row("Other Hands"))).not.toBe(pennant);
});

test("the line of the score is drawn: it rises from the start to the last solve", async ({
  page,
  serve,
}) => {
  const program = await serve({});
  const team = await newTeam(program, "Draughtsmen");
  await program.solve(team.token, "oars", "flag{r0w}");
  await program.solve(team.token, "tide", "flag{t1de}");
  await page.goto(`${program.url}/team/Draughtsmen`);
  const canvas = page.getByRole("img", { name: /^Score over time/ }).locator("canvas");
  await expect(canvas).toBeVisible();
  const color = await tokenHex(page, "--series-0");
  // Pixels in the line's color, relative to the canvas size: the start and the end of the line.
  const seen = () =>
    canvas.evaluate((element, hex) => {
      const drawing = element instanceof HTMLCanvasElement ? element : null;
      const { width = 0, height = 0 } = drawing ?? {};
      const pixels = drawing?.getContext("2d")?.getImageData(0, 0, width, height).data ?? [];
      const wanted = [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));
      const rows: number[] = [];
      for (let at = 0; at < pixels.length; at += 4) {
        const isLine = wanted.every(
          (value, band) => Math.abs(value - (pixels[at + band] ?? 0)) < 9,
        );
        if (isLine) rows.push(Math.floor(at / 4 / width) / height);
      }
      return { pixels: rows.length, top: Math.min(...rows), bottom: Math.max(...rows) };
    }, color);
  await expect.poll(async () => (await seen()).pixels).toBeGreaterThan(100);
  const { top, bottom } = await seen();
  expect(top).toBeLessThan(0.25);
  expect(bottom).toBeGreaterThan(0.75);
});

test("on a phone a solve has two lines within the page", async ({ page, serve }) => {
  const program = await serve({});
  const team = await newTeam(program, "Narrow Boats");
  await program.solve(team.token, "oars", "flag{r0w}");
  await program.solve(team.token, "tide", "flag{t1de}");
  await page.setViewportSize({ width: 390, height: 844 });
  await enter(page, program, team);
  await page.goto(`${program.url}/team/Narrow%20Boats`);
  const solves = page.getByRole("region", { name: "Team solves" });
  const rows = solves.getByRole("row");
  await expect(rows).toHaveCount(3);
  expect(await solves.evaluate((box) => box.scrollWidth - box.clientWidth)).toBe(0);
  const tide = rows.filter({ hasText: "Rising tide" });
  expect((await tide.getByRole("link").boundingBox())?.height).toBeGreaterThanOrEqual(44);
  const [category, , points, , time] = await tide.getByRole("cell").all();
  const name = await tide.getByRole("rowheader").boundingBox();
  const topOf = async (cell: Locator | undefined) => (await cell?.boundingBox())?.y ?? 0;
  const second = (name?.y ?? 0) + (name?.height ?? 0);
  expect(await topOf(points)).toBeLessThan(second);
  expect(await topOf(category)).toBeGreaterThanOrEqual(second - 1);
  expect(await topOf(time)).toBeGreaterThanOrEqual(second - 1);
});

test("an unknown team name is reported, with a link back", async ({ page, program }) => {
  for (const path of ["/team/Nobody%20of%20this%20name", "/team", "/team/"]) {
    await page.goto(path);
    await expect(page.getByRole("main")).toMatchAriaSnapshot(`
      - main:
        - heading "Team not found" [level=1]
        - paragraph: No team with this name is on the scoreboard.
        - link "Go to the scoreboard":
          - /url: /scoreboard
    `);
  }
  await page.getByRole("link", { name: "Go to the scoreboard" }).click();
  await expect(page).toHaveURL(`${program.url}/scoreboard`);
});

test("a team without a solve has its rank and no graph", async ({ page, program }) => {
  const { name } = await newTeam(program);
  await page.goto(`/team/${encodeURIComponent(name)}`);
  await expect(title(page, name)).toBeVisible();
  await expect(fact(page, "Points")).toHaveText("0");
  await expect(page.getByText("No solves yet.")).toBeVisible();
  await expect(page.getByRole("img", { name: /^Score over time/ })).toHaveCount(0);
});

test("during the freeze only the team sees later solves on its page", async ({
  page,
  serve,
  visitor,
}) => {
  const program = await serve({ when: "frozen" });
  const mine = await newTeam(program, "Ice Breakers");
  const address = `${program.url}/team/Ice%20Breakers`;
  const stranger = await visitor(program.url);
  await enter(page, program, mine);
  await page.goto(address);
  await stranger.goto(address);
  for (const one of [page, stranger]) {
    await expectLive(one);
    await expect(one.getByRole("main").getByText("Scoreboard frozen")).toBeVisible();
    await expect(fact(one, "Points")).toHaveText("0");
  }
  await program.solve(mine.token, "welcome", "flag{w3lc0me_ab0ard}");
  await expect(fact(page, "Points")).toHaveText("100 with your sealed solves");
  await expect(page.getByRole("rowheader", { name: "Welcome aboard" })).toBeVisible();
  // The public board has changed because of a new team, but still lacks the solve.
  await newTeam(program, "Late Joiners");
  await expect(fact(stranger, "Rank")).toContainText("of 2 teams");
  await expect(fact(stranger, "Points")).toHaveText("0");
  await stranger.reload();
  await expect(fact(stranger, "Points")).toHaveText("0");
  await expect(stranger.getByText("No solves yet.")).toBeVisible();
});

test("an RTL name affects only its heading", async ({ page, program }) => {
  const { name } = await newTeam(program, "فريق الميناء 7!");
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto(`/team/${encodeURIComponent(name)}`);
  await expect(title(page, name).locator("bdi")).toHaveCSS("unicode-bidi", "isolate");
  await expect(page.locator("html")).toHaveCSS("direction", "ltr");
  await expect(fact(page, "Rank")).toHaveCSS("direction", "ltr");
  expect(await tooWidePx(page)).toBeLessThanOrEqual(0);
});
