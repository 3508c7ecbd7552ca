// Score graphs, read by keyboard and by pointer: emphasis, crosshair, freeze.

import type { Locator, Page } from "@playwright/test";
import { tokenHex } from "../support/color.ts";
import { expectLive } from "../support/player.ts";
import type { Program } from "../support/program.ts";
import { enter, expect, newTeam, type Team, test } from "../support/test.ts";

const FLAGS = {
  welcome: "flag{w3lc0me_ab0ard}",
  hold: "flag{h0ld}",
  tide: "flag{t1de}",
} as const;

/** Five teams in the order of their scores, all different. */
const CREWS: readonly (readonly [name: string, solves: readonly (keyof typeof FLAGS)[]])[] = [
  ["Astrolabe", ["welcome", "hold", "tide"]],
  ["Bowsprit", ["tide", "welcome"]],
  ["Capstan", ["tide"]],
  ["Davit", ["welcome", "hold"]],
  ["Ensign", ["welcome"]],
];

/** Plays the crews' solves, so that the second team leads first. */
async function play(program: Program): Promise<Team[]> {
  const teams: Team[] = [];
  for (const [name] of CREWS) teams.push(await newTeam(program, name));
  for (const at of [0, 1, 2]) {
    for (const [index, [, solves]] of [...CREWS.entries()].reverse()) {
      const id = solves[at];
      if (id) await program.solve(teams[index]?.token ?? "", id, FLAGS[id]);
    }
  }
  return teams;
}

function graph(page: Page): Locator {
  return page.getByRole("region", { name: "Top 10 over time" });
}

function plot(page: Page): Locator {
  return graph(page).getByRole("img", { name: /^Top 10 scores over time/ });
}

/** The tokens among `names` whose exact color is on the plot's canvas. */
async function drawn(page: Page, names: readonly string[]): Promise<string[]> {
  const colors = await Promise.all(names.map((name) => tokenHex(page, name)));
  const found = await plot(page)
    .locator("canvas")
    .evaluate((element, wanted) => {
      const drawing = element instanceof HTMLCanvasElement ? element : null;
      const { width = 0, height = 0 } = drawing ?? {};
      const pixels = drawing?.getContext("2d")?.getImageData(0, 0, width, height).data ?? [];
      const hex = (value: number | undefined) => (value ?? 0).toString(16).padStart(2, "0");
      const seen = new Set<string>();
      for (let at = 0; at < pixels.length; at += 4) {
        seen.add(`#${hex(pixels[at])}${hex(pixels[at + 1])}${hex(pixels[at + 2])}`);
      }
      return wanted.map((color) => seen.has(color));
    }, colors);
  return names.filter((_, index) => found[index]);
}

const SERIES = ["--series-0", "--series-1", "--series-2", "--series-3", "--series-4"] as const;
const NOW = { start: -2, freeze: 3 * 3600, end: 4 * 3600 };

test("the graph shows the score at any time", async ({ page, serve }) => {
  const program = await serve({});
  const team = await newTeam(program, "Readers of Graphs");
  await enter(page, program, team);
  await program.solve(team.token, "welcome", "flag{w3lc0me_ab0ard}");
  await page.goto(`${program.url}/team/${encodeURIComponent(team.name)}`);
  const slider = page.getByRole("slider", { name: "Time" });
  await expect(slider).toHaveAttribute("aria-valuetext", /: 100$/);
  await slider.focus();
  await page.keyboard.press("Home");
  await expect(slider).toHaveAttribute("aria-valuetext", /: 0$/);
  await page.keyboard.press("End");
  await expect(slider).toHaveAttribute("aria-valuetext", /: 100$/);
  const plot = page.getByRole("img", { name: /^Score over time/ }).locator(".u-over");
  await plot.hover({ position: { x: 20, y: 40 } });
  await expect(slider).toHaveAttribute("aria-valuetext", /: 0$/);
  await page.getByRole("heading", { level: 1 }).hover();
  await expect(slider).toHaveAttribute("aria-valuetext", /: 100$/);
});

test("the top three and the own team are in color, others when named or pointed at", async ({
  page,
  serve,
}) => {
  const program = await serve({ when: NOW });
  const teams = await play(program);
  await page.goto(`${program.url}/scoreboard?graph=true`);
  await expect.poll(() => drawn(page, SERIES)).toEqual(["--series-0", "--series-1", "--series-2"]);
  const davit = graph(page).getByRole("button", { name: /^4 Davit/ });
  await davit.focus();
  await expect.poll(() => drawn(page, ["--series-3"])).toEqual(["--series-3"]);
  await davit.blur();
  await expect.poll(() => drawn(page, ["--series-3"])).toEqual([]);
  await davit.hover();
  await expect.poll(() => drawn(page, ["--series-3"])).toEqual(["--series-3"]);
  await davit.click();
  await expect(davit).toHaveAttribute("aria-pressed", "true");
  await page.getByRole("heading", { level: 1 }).hover();
  await davit.blur();
  await expect.poll(() => drawn(page, ["--series-3"])).toEqual(["--series-3"]);
  await enter(page, program, teams[4] ?? { name: "", token: "" });
  await page.reload();
  await expect
    .poll(() => drawn(page, SERIES))
    .toEqual(["--series-0", "--series-1", "--series-2", "--series-4"]);
});

test("with more contrast every line is in color, with dashes", async ({ page, serve }) => {
  const program = await serve({ when: NOW });
  await play(program);
  await page.emulateMedia({ contrast: "more" });
  await page.goto(`${program.url}/scoreboard?graph=true`);
  await expect.poll(() => drawn(page, SERIES)).toEqual([...SERIES]);
});

test("a crosshair lists the scores in order, first bloods and changes of the lead", async ({
  page,
  serve,
}) => {
  const program = await serve({ when: NOW });
  await play(program);
  await page.goto(`${program.url}/scoreboard?graph=true`);
  await expectLive(page);
  await expect(graph(page).getByText("First blood", { exact: true })).toBeVisible();
  await expect(graph(page).getByText("Change of the lead")).toBeVisible();
  await expect(graph(page).getByText(/^Lines fall because/)).toBeVisible();
  await expect.poll(() => drawn(page, ["--blood"])).toEqual(["--blood"]);
  const tip = graph(page).locator("[data-before]");
  await expect(tip).toHaveCount(0);
  const slider = graph(page).getByRole("slider", { name: "Time" });
  await slider.focus();
  await page.keyboard.press("Home");
  await expect(tip.getByRole("listitem", { includeHidden: true })).toHaveCount(CREWS.length);
  const max = Number(await slider.getAttribute("max"));
  await slider.fill(String(max - Number(await slider.getAttribute("step"))));
  const scores = await tip
    .getByRole("listitem", { includeHidden: true })
    .evaluateAll((rows) => rows.map((row) => Number(row.lastElementChild?.textContent)));
  expect(scores.length).toBe(CREWS.length);
  expect(scores).toEqual([...scores].sort((a, b) => b - a));
  // The pointer moves the same crosshair, and lets it go.
  await plot(page)
    .locator(".u-over")
    .hover({ position: { x: 4, y: 100 } });
  await expect(tip).toContainText("Astrolabe");
  await expect(slider).toHaveAttribute("aria-valuetext", /: .*Ensign \d+/);
  await page.getByRole("heading", { level: 1 }).hover();
  await expect(tip).toHaveCount(0);
});

test("the freeze is a band in which nothing is drawn", async ({ page, serve, visitor }) => {
  const program = await serve({ when: NOW });
  const [first] = await play(program);
  await page.goto(`${program.url}/scoreboard?graph=true`);
  await expect.poll(() => drawn(page, ["--series-0"])).toEqual(["--series-0"]);
  expect(await drawn(page, ["--ice"])).toEqual([]);
  const marked = graph(page).getByText("Scoreboard frozen");
  await expect(marked).toHaveCount(0);
  await program.reschedule({ freeze: -1 });
  await program.solve(first?.token ?? "", "oars", "flag{r0w}");
  await expect(marked).toBeVisible();
  await expect.poll(() => drawn(page, ["--ice"])).toEqual(["--ice"]);
  const slider = graph(page).getByRole("slider", { name: "Time" });
  const shown = await slider.getAttribute("aria-valuetext");
  // The team that solved it sees the same graph as everyone.
  const own = await visitor(program.url);
  await enter(own, program, first ?? { name: "", token: "" });
  await own.goto("/scoreboard?graph=true");
  await expect(own.getByRole("cell", { name: "1*" })).toBeVisible();
  const ownSlider = graph(own).getByRole("slider", { name: "Time" });
  await expect(ownSlider).toHaveAttribute("aria-valuetext", shown ?? "");
});

test("at 390 px the names are a list with the scores, and the table opens", async ({
  page,
  serve,
}) => {
  const program = await serve({ when: NOW });
  await play(program);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`${program.url}/scoreboard?graph=true`);
  const names = graph(page).getByRole("button");
  await expect(names).toHaveCount(CREWS.length);
  for (const name of await names.all()) {
    const box = await name.boundingBox();
    expect.soft(box?.height).toBeGreaterThanOrEqual(44);
    expect.soft(box?.width).toBeGreaterThan(250);
    const letters = await name.evaluate((one) => Number.parseFloat(getComputedStyle(one).fontSize));
    expect.soft(letters).toBeGreaterThanOrEqual(13);
  }
  await expect(names.first()).toHaveText(/^1Astrolabe\d+$/);
  // The slider's thumb, 20 px wide, is below the axis at its start, and below the lines' ends.
  const slider = await graph(page).getByRole("slider", { name: "Time" }).boundingBox();
  const area = await plot(page).locator(".u-over").boundingBox();
  expect(slider?.height).toBeGreaterThanOrEqual(44);
  expect((slider?.x ?? 0) + 10).toBeCloseTo(area?.x ?? 0, 0);
  const table = graph(page).getByRole("table");
  await expect(table).toBeHidden();
  await graph(page).getByText("Scores as a table").click();
  await expect(table.getByRole("rowheader")).toHaveText(CREWS.map(([name]) => name));
});
