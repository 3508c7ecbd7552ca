// A team's own page: any name leads to it, its numbers are the board's, and the freeze holds there.

import type { Page } from "@playwright/test";
import { tokenHex } from "../support/colour.ts";
import { expectLive } from "../support/player.ts";
import { tooWidePx } from "../support/sound.ts";
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

/** One of the numbers at the top of the page. */
function fact(page: Page, name: string) {
  return page.getByRole("term").filter({ hasText: name }).locator("+ dd");
}

test("any name leads from the board to its page, which has an address of its own", async ({
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

test("names that a path cannot hold have an address too", async ({ page, program }) => {
  // No such team can sign up; the boards of real events have had them.
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
    // The board of this test alone has the team.
    expect(answer?.status()).toBe(404);
    await expect(title(page, name)).toBeVisible();
    await expect(page.getByRole("main").getByText(country)).toBeVisible();
  }
});

test("rank, points, solves and the score over time are the board's, and move live", async ({
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
        - img "Score over time; the table of solves below has the same numbers"
      - region "Solves":
        - heading "Solves" [level=2]
        - region "Solves of the team":
          - table:
            - rowgroup:
              - row "Challenge Category Position Points now Score then Time"
            - rowgroup:
              - row /First at the oars Misc .*solved first.* 150 150 .* UTC/:
                - rowheader "First at the oars":
                  - link "First at the oars":
                    - /url: /challenge?open=oars
              - row /Rising tide Crypto .*first blood.* 500 650 .* UTC/
  `);
  await page.evaluate(() => Reflect.set(window, "loadedOnce", true));
  // Another's solve lowers what a dynamic one is worth, also to those who have it.
  await program.solve(rival.token, "tide", "flag{t1de}");
  await expect(fact(page, "Points")).toHaveText("609");
  await newTeam(program, "Third Mates");
  await expect(fact(page, "Rank")).toHaveText("1 of 3 teams");
  expect(await page.evaluate(() => Reflect.get(window, "loadedOnce"))).toBe(true);

  await page.getByRole("link", { name: "Rising tide" }).click();
  await expect(page).toHaveURL(/\/challenge\?open=/);
  await expect(page.getByRole("article", { name: "Rising tide" })).toContainText("Solved");
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
  const colour = await tokenHex(page, "--series-0");
  // Where the line's own colour is, as shares of the canvas: it has a foot and a head.
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
    }, colour);
  await expect.poll(async () => (await seen()).pixels).toBeGreaterThan(100);
  const { top, bottom } = await seen();
  expect(top).toBeLessThan(0.25);
  expect(bottom).toBeGreaterThan(0.75);
});

test("a name that no team has is said to be one, with a way back", async ({ page, program }) => {
  for (const path of ["/team/Nobody%20of%20this%20name", "/team", "/team/"]) {
    await page.goto(path);
    await expect(page.getByRole("main")).toMatchAriaSnapshot(`
      - main:
        - heading "No such team" [level=1]
        - paragraph: No team of this name is on the scoreboard.
        - link "To the scoreboard":
          - /url: /scoreboard
    `);
  }
  await page.getByRole("link", { name: "To the scoreboard" }).click();
  await expect(page).toHaveURL(`${program.url}/scoreboard`);
});

test("a team without a solve has its rank and no graph", async ({ page, program }) => {
  const { name } = await newTeam(program);
  await page.goto(`/team/${encodeURIComponent(name)}`);
  await expect(title(page, name)).toBeVisible();
  await expect(fact(page, "Points")).toHaveText("0");
  await expect(page.getByText("No solve yet.")).toBeVisible();
  await expect(page.getByRole("img", { name: /^Score over time/ })).toHaveCount(0);
});

test("in the freeze a team's page shows its later solves to itself alone", async ({
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
  await expect(fact(page, "Points")).toHaveText("100");
  await expect(page.getByRole("rowheader", { name: "Welcome aboard" })).toBeVisible();
  // What is public has moved on by a team that joined; the solve is still not in it.
  await newTeam(program, "Late Joiners");
  await expect(fact(stranger, "Rank")).toContainText("of 2 teams");
  await expect(fact(stranger, "Points")).toHaveText("0");
  await stranger.reload();
  await expect(fact(stranger, "Points")).toHaveText("0");
  await expect(stranger.getByText("No solve yet.")).toBeVisible();
});

test("a name from right to left turns its heading alone", async ({ page, program }) => {
  const { name } = await newTeam(program, "فريق الميناء 7!");
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto(`/team/${encodeURIComponent(name)}`);
  await expect(title(page, name).locator("bdi")).toHaveCSS("unicode-bidi", "isolate");
  await expect(page.locator("html")).toHaveCSS("direction", "ltr");
  await expect(fact(page, "Rank")).toHaveCSS("direction", "ltr");
  expect(await tooWidePx(page)).toBeLessThanOrEqual(0);
});
