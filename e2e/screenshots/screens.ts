// The pictures in docs/screenshots: every screen of the example event, wide and narrow, dark and
// light. `cargo xtask screenshots` makes them anew; it is not a test and judges nothing.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, type Page, test } from "@playwright/test";
import { Program } from "../support/program.ts";

const ROOT = join(import.meta.dirname, "../..");
const EVENT = "examples/beginner";
const PICTURES = join(ROOT, "docs/screenshots");
const SIZES = [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
] as const;
const THEMES = ["dark", "light"] as const;
/** What moves when a page opens has come to rest. */
const SETTLE_MS = 600;

const TEAMS = [
  ["Salt and Pepper", "IT"],
  ["Null Pointers", "DE"],
  ["Zephyr Sailors", "FR"],
  ["Harbour Cats", "GR"],
  ["Keel Haulers", "ES"],
  ["Dead Reckoning", "PT"],
  ["Barnacle Bytes", "NL"],
  ["Low Tide", "CH"],
  ["Sextant", "SI"],
  ["Night Watch", "PL"],
  ["Port 443", "GB"],
  ["Gull Riders", "IE"],
] as const;
const OURS = "Harbour Cats";

/** Every challenge that needs no other, with its flag, in the order of their positions. */
function openChallenges(): { id: string; flag: string }[] {
  const folder = join(ROOT, EVENT, "challenges");
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith("challenge.yml"))
    .map((file) => readFileSync(join(folder, file), "utf8"))
    .filter((text) => !/^requirements:/m.test(text))
    .map((text) => ({
      id: text.match(/^id: (\S+)$/m)?.[1] ?? "",
      flag: text.match(/^flags:\n {2}- (\S+)$/m)?.[1] ?? "",
      position: Number(text.match(/^position: (\d+)$/m)?.[1] ?? 0),
    }))
    .filter(({ id, flag }) => id !== "" && flag !== "")
    .sort((a, b) => a.position - b.position);
}

/** Lets the teams play: the first the most, each another selection. */
async function play(program: Program): Promise<string> {
  const teams = TEAMS.map(([name, country], index) => {
    return { name, country, email: `team${index}@example.org`, password: "" };
  });
  const tokens = await program.importTeams(teams);
  for (const [place, { id, flag }] of openChallenges().entries()) {
    for (const [index, { name }] of teams.entries()) {
      const isSolved = (place * 7 + index * 5) % 12 >= index && place < 14 - index / 2;
      if (isSolved) await program.solve(tokens.get(name) ?? "", id, flag);
    }
  }
  return tokens.get(OURS) ?? "";
}

async function pictures(page: Page, name: string): Promise<void> {
  for (const size of SIZES) {
    await page.setViewportSize(size);
    for (const colorScheme of THEMES) {
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      await page.evaluate(() => window.scrollTo(0, 0));
      await page.waitForTimeout(SETTLE_MS);
      await page.screenshot({ path: join(PICTURES, `${name}-${size.width}-${colorScheme}.png`) });
    }
  }
}

async function open(page: Page, program: Program, path: string): Promise<void> {
  await page.goto(program.url + path);
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await expect(page.locator("[aria-busy=true]")).toHaveCount(0);
}

test("before the start", async ({ page }) => {
  const program = await Program.start({ event: EVENT, when: "not started" });
  await open(page, program, "/");
  await expect(page.getByRole("timer")).toBeVisible();
  await pictures(page, "home-before");
  await program.stop();
});

test("while it runs", async ({ page }) => {
  const program = await Program.start({ event: EVENT, when: "running" });
  const token = await play(program);
  for (const path of ["login", "signup", "rules"]) {
    await open(page, program, `/${path}`);
    await pictures(page, path);
  }
  const cookie = { name: "apitoken", value: token, url: program.url };
  await page.context().addCookies([{ ...cookie, secure: true, sameSite: "Strict" }]);
  const [, second] = openChallenges();
  const screens = {
    home: "/",
    scoreboard: "/scoreboard",
    challenges: `/challenge?open=${second?.id}`,
    team: `/team/${encodeURIComponent(OURS)}`,
  };
  for (const [name, path] of Object.entries(screens)) {
    await open(page, program, path);
    await expect(page.getByRole("link", { name: "Logout" })).toBeVisible();
    await pictures(page, name);
  }
  await open(page, program, "/scoreboard?view=stage");
  await pictures(page, "stage");
  await program.stop();
});
