/** Ranking by the shared vectors and two real events; pages and groups. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import vectors from "../../../vectors/ranking.json";
import {
  type Board,
  type BoardChallenge,
  boardWindow,
  compareStandings,
  groupByCategory,
  rankTeams,
} from "./board";
import { applyDelta } from "./live";

function emptyBoard(ids: readonly string[], teamNames: readonly string[]): Board {
  const challenges = ids.map(
    (id): BoardChallenge => ({
      id,
      challengeName: id,
      challengeType: "dynamic",
      maxValue: 500,
      minValue: 50,
      speedrunValues: [],
      categories: [],
      nsolves: 0,
      fbTs: 0,
    }),
  );
  const teams = teamNames.map((teamName) => ({
    teamName,
    country: "UN",
    solves: new Map(),
    lastSolveTs: 0,
    award: 0,
  }));
  return { seq: 0, generation: "g", challenges, teams };
}

describe("ranking.json", () => {
  for (const { name, teams, expected } of vectors) {
    test(name, () => {
      const ordered = teams
        .map(({ last_solve_ts, ...team }) => ({ ...team, lastSolveTs: last_solve_ts }))
        .sort(compareStandings);
      expect(ordered.map(({ teamName }) => teamName)).toEqual(expected);
    });
  }
});

interface RealEvent {
  replay_freeze_ms: number;
  challenges: { id: string }[];
  teams: { name: string }[];
  events: [number, string, string, boolean][];
  expected_spec_dynamic: { pos: number; team: string; score: number }[];
  expected_spec_dynamic_frozen: { pos: number; team: string; score: number }[];
}

const configured = process.env.FLAGSHIP_TEST_DATA;
const dataFolder = configured ?? join(process.cwd(), "../../shared/data");
const hasData = configured !== undefined || existsSync(join(dataFolder, "scoreboards"));
if (!hasData) {
  const what = "NOT CHECKED: rankings of real events on the site";
  console.warn(`${what}: set FLAGSHIP_TEST_DATA to their folder`);
}

describe.skipIf(!hasData)("real events", () => {
  function replay(event: RealEvent, untilMs: number) {
    const names = event.teams.map(({ name }) => name);
    let board = emptyBoard(
      event.challenges.map(({ id }) => id),
      names,
    );
    for (const [ms, teamName, challengeId, correct] of event.events) {
      if (!correct || ms >= untilMs) continue;
      board = applyDelta(board, { event: "solve", teamName, challengeId, ts: ms / 1000 });
    }
    return rankTeams(board).map(({ rank, team, points }) => [rank, team.teamName, points]);
  }
  for (const file of ["olicyber-2024-regional", "defcon-quals-2019"]) {
    test(`${file}: final and frozen rankings are the expected ones`, () => {
      const text = readFileSync(join(dataFolder, "scoreboards", `${file}.json`), "utf8");
      const event: RealEvent = JSON.parse(text);
      const rows = (list: RealEvent["expected_spec_dynamic"]) =>
        list.map(({ pos, team, score }) => [pos, team, score]);
      const final = rows(event.expected_spec_dynamic);
      const frozen = rows(event.expected_spec_dynamic_frozen);
      expect(replay(event, Number.POSITIVE_INFINITY).slice(0, final.length)).toEqual(final);
      expect(replay(event, event.replay_freeze_ms).slice(0, frozen.length)).toEqual(frozen);
    });
  }
});

describe("the window of a page", () => {
  const names = Array.from({ length: 120 }, (_, index) => `team ${String(index).padStart(3, "0")}`);
  const ranked = rankTeams(emptyBoard([], names));

  test("pages are teams over rows, rounded up", () => {
    expect(boardWindow(ranked, 1, 50, null).pages).toBe(3);
    expect(boardWindow(ranked.slice(0, 100), 1, 50, null).pages).toBe(2);
    expect(boardWindow([], 1, 50, null)).toMatchObject({ pages: 1, rows: [], own: null });
  });
  test("the last page is shorter, and a page past it is the last", () => {
    expect(boardWindow(ranked, 3, 50, null).rows).toHaveLength(20);
    expect(boardWindow(ranked, 99, 50, null).page).toBe(3);
    expect(boardWindow(ranked, 0, 50, null).page).toBe(1);
  });
  test("the own row is added only when it is outside the window", () => {
    expect(boardWindow(ranked, 1, 50, "team 060").own?.rank).toBe(61);
    expect(boardWindow(ranked, 2, 50, "team 060").own).toBeNull();
    expect(boardWindow(ranked, 2, 50, "nobody").own).toBeNull();
  });
});

test("challenges are grouped by their first category in order of first appearance", () => {
  const groups = groupByCategory([
    { id: 1, categories: ["web", "pwn"] },
    { id: 2, categories: ["pwn"] },
    { id: 3, categories: ["web"] },
    { id: 4, categories: [] },
  ]);
  const ids = groups.map(({ category, challenges }) => [category, challenges.map(({ id }) => id)]);
  expect(ids).toEqual([
    ["web", [1, 3]],
    ["pwn", [2]],
    ["", [4]],
  ]);
});
