/** Solvers in order; first bloods are announced once, and never from the first snapshot. */
import { describe, expect, test } from "vitest";
import type { Board } from "./board";
import { applyDelta } from "./live";
import { freshFirstBloods, solversOf } from "./solvers";

const EMPTY: Board = {
  seq: null,
  generation: null,
  challenges: ["web-1", "pwn-1"].map((id) => ({
    id,
    challengeName: id.toUpperCase(),
    challengeType: "static" as const,
    maxValue: 100,
    minValue: 0,
    speedrunValues: [],
    categories: [],
    nsolves: 0,
    fbTs: 0,
  })),
  teams: ["Ants", "Bees"].map((teamName) => ({
    teamName,
    country: "IT",
    solves: new Map(),
    lastSolveTs: 0,
    award: 0,
  })),
};
const solve = (board: Board, teamName: string, challengeId: string, ts: number) =>
  applyDelta(board, { event: "solve", teamName, challengeId, ts });

test("solvers are ordered by position, regardless of row order", () => {
  const board = solve(solve(EMPTY, "Bees", "web-1", 10), "Ants", "web-1", 20);
  expect(solversOf(board, "web-1").map(({ teamName, ts }) => [teamName, ts])).toEqual([
    ["Bees", 10],
    ["Ants", 20],
  ]);
  expect(solversOf(board, "pwn-1")).toEqual([]);
  expect(solversOf(board, "nothing")).toEqual([]);
});

describe("first bloods", () => {
  const NOW_MS = 1_000_000;
  const first = solve(EMPTY, "Bees", "web-1", 990);

  test("none from the first snapshot", () => {
    const { seen, fresh } = freshFirstBloods(null, first, NOW_MS, false);
    expect(fresh).toEqual([]);
    expect(freshFirstBloods(seen, first, NOW_MS, false).fresh).toEqual([]);
  });
  test("a later one is announced once", () => {
    const start = freshFirstBloods(null, EMPTY, NOW_MS, false);
    const { seen, fresh } = freshFirstBloods(start.seen, first, NOW_MS, false);
    const news = { challengeId: "web-1", challengeName: "WEB-1", teamName: "Bees", country: "IT" };
    expect(fresh).toEqual([news]);
    expect(freshFirstBloods(seen, first, NOW_MS, false).fresh).toEqual([]);
    const second = solve(first, "Ants", "web-1", 995);
    expect(freshFirstBloods(seen, second, NOW_MS, false).fresh).toEqual([]);
  });
  test("an old one, after a sleep or at the reveal, is recorded but not announced", () => {
    const { seen } = freshFirstBloods(null, EMPTY, NOW_MS, false);
    const later = freshFirstBloods(seen, first, NOW_MS + 3_600_000, false);
    expect(later.fresh).toEqual([]);
    expect(freshFirstBloods(later.seen, first, NOW_MS, false).fresh).toEqual([]);
  });
  test("none during the freeze, when an own solve can look first, nor later for that solve", () => {
    const { seen } = freshFirstBloods(null, EMPTY, NOW_MS, true);
    const frozen = freshFirstBloods(seen, first, NOW_MS, true);
    expect(frozen.fresh).toEqual([]);
    expect(freshFirstBloods(frozen.seen, first, NOW_MS, false).fresh).toEqual([]);
  });
});
