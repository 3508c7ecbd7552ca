// The example event for screenshots: teams, solves, and functions that open pages.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, type Page } from "@playwright/test";
import type { Program } from "../support/program.ts";

const ROOT = join(import.meta.dirname, "../..");
export const EVENT = "examples/beginner";
export const PICTURES = join(ROOT, "docs/screenshots");
/** Default page size. */
export const WIDE = { width: 1440, height: 900 } as const;

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
  ["Rope Yarns", "SE"],
  ["فريق الميناء", "EG"],
  ["Lighthouse Keepers", "NO"],
  ["Ballast", "BE"],
  ["High Water", "AT"],
  ["צוות הים", "IL"],
  ["Bilge Pumps", "US"],
  ["Cap Horniers", "CL"],
  ["Harbour Café", "JP"],
  ["Tin Whistles", "XK"],
  ["Anchor Management", "UN"],
  ["Slack Tide", "EU"],
] as const;
export const OURS = "Harbour Cats";
/** A team with almost no solves. */
const LAST = "Slack Tide";

/** Challenges without requirements that one flag solves, with the flag, in display order. */
export function openChallenges(): { id: string; flag: string }[] {
  const folder = join(ROOT, EVENT, "challenges");
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith("challenge.yml"))
    .map((file) => readFileSync(join(folder, file), "utf8"))
    .filter((text) => !/^(requirements|logic):/m.test(text))
    .map((text) => ({
      id: text.match(/^id: (\S+)$/m)?.[1] ?? "",
      flag: text.match(/^flags:\n {2}- (\S+)$/m)?.[1] ?? "",
      position: Number(text.match(/^position: (\d+)$/m)?.[1] ?? 0),
    }))
    .filter(({ id, flag }) => id !== "" && flag !== "")
    .sort((a, b) => a.position - b.position);
}

/** Solves, challenge by challenge; the first team has the most. */
function solves(): { team: string; id: string; flag: string }[] {
  return openChallenges().flatMap(({ id, flag }, place) =>
    TEAMS.flatMap(([team], index) => {
      const isSolved = (place * 7 + index * 5) % 12 >= index / 2 && place < 14 - index / 2;
      return isSolved ? [{ team, id, flag }] : [];
    }),
  );
}

interface Playing {
  /** Delay between two solves. */
  paceMs?: number;
  /** True if each team solves in a different order. */
  isMixed?: boolean;
}

/** Submits the teams' solves. Returns the tokens of two teams, and those of all teams. */
export async function play(
  program: Program,
  { paceMs = 0, isMixed = false }: Playing = {},
): Promise<{ ours: string; last: string; tokens: ReadonlyMap<string, string> }> {
  const teams = TEAMS.map(([name, country], index) => {
    return { name, country, email: `team${index}@example.org`, password: "" };
  });
  const tokens = await program.importTeams(teams);
  const mixed = (at: number) => (at * 37) % 101;
  const order = solves()
    .map((solve, at) => ({ solve, place: isMixed ? mixed(at) : at }))
    .sort((a, b) => a.place - b.place);
  for (const { solve } of order) {
    await program.solve(tokens.get(solve.team) ?? "", solve.id, solve.flag);
    await new Promise((resolve) => setTimeout(resolve, paceMs));
  }
  return { ours: tokens.get(OURS) ?? "", last: tokens.get(LAST) ?? "", tokens };
}

export async function open(page: Page, program: Program, path: string): Promise<void> {
  await page.setViewportSize(WIDE);
  await page.goto(program.url + path);
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await expect(page.locator("[aria-busy=true]")).toHaveCount(0);
}

export async function enter(page: Page, program: Program, token: string): Promise<void> {
  const cookie = { name: "apitoken", value: token, url: program.url };
  await page.context().addCookies([{ ...cookie, secure: true, sameSite: "Strict" }]);
}
