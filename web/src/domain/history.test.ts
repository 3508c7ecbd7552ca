/** Score over time: examples per scoring type, and lines that end at the current score. */
import { describe, expect, test } from "vitest";
import { type Board, type BoardChallenge, rankTeams } from "./board";
import { moments, scoreLines } from "./history";
import { applyDelta } from "./live";
import type { ChallengeType } from "./points";

const challenge = (id: string, challengeType: ChallengeType): BoardChallenge => ({
  id,
  challengeName: id,
  challengeType,
  maxValue: 500,
  minValue: 50,
  speedrunValues: [30, 20],
  categories: ["web"],
  nsolves: 0,
  fbTs: 0,
});

const KINDS = ["dynamic", "static", "speedrun"] as const;

/** A board with these solves in this order. */
function played(teams: string[], solves: [team: string, id: string, ts: number][]): Board {
  const empty: Board = {
    seq: null,
    generation: null,
    challenges: KINDS.map((kind) => challenge(kind, kind)),
    teams: teams.map((teamName) => ({
      teamName,
      country: "UN",
      solves: new Map(),
      lastSolveTs: 0,
      award: teamName === "awarded" ? 7 : 0,
    })),
  };
  return solves.reduce(
    (board, [teamName, challengeId, ts]) =>
      applyDelta(board, { event: "solve", teamName, challengeId, ts }),
    empty,
  );
}

const TABLE: {
  name: string;
  solves: [string, string, number][];
  team: string;
  expected: [ts: number, points: number][];
}[] = [
  {
    name: "a dynamic value falls for those who hold it",
    solves: [
      ["a", "dynamic", 10],
      ["b", "dynamic", 20],
      ["c", "dynamic", 30],
    ],
    team: "a",
    expected: [
      [0, 0],
      [10, 500],
      [20, 459],
      [30, 424],
    ],
  },
  {
    name: "a later solver gets what is left, and it falls for them too",
    solves: [
      ["a", "dynamic", 10],
      ["b", "dynamic", 20],
      ["c", "dynamic", 30],
    ],
    team: "b",
    expected: [
      [0, 0],
      [20, 459],
      [30, 424],
    ],
  },
  {
    name: "a static value stays, and the line goes on to the board's last solve",
    solves: [
      ["a", "static", 10],
      ["b", "static", 40],
    ],
    team: "a",
    expected: [
      [0, 0],
      [10, 500],
      [40, 500],
    ],
  },
  {
    name: "a speedrun pays by position, nothing past its list",
    solves: [
      ["a", "speedrun", 10],
      ["b", "speedrun", 20],
      ["c", "speedrun", 30],
      ["c", "static", 40],
    ],
    team: "c",
    expected: [
      [0, 0],
      [40, 500],
    ],
  },
  {
    name: "what happens in one moment is one point",
    solves: [
      ["a", "static", 10],
      ["a", "dynamic", 10],
    ],
    team: "a",
    expected: [
      [0, 0],
      [10, 1000],
    ],
  },
  {
    name: "an award counts from the start",
    solves: [["a", "static", 10]],
    team: "awarded",
    expected: [
      [0, 7],
      [10, 7],
    ],
  },
];

const TEAMS = ["a", "b", "c", "awarded"];

describe("scoreLines", () => {
  for (const { name, solves, team, expected } of TABLE) {
    test(name, () => {
      const [line] = scoreLines(played(TEAMS, solves), [team], 0);
      expect(line?.points.map(({ ts, points }) => [ts, points])).toEqual(expected);
    });
  }

  test("no solves: one point; an unknown team: no line", () => {
    const lines = scoreLines(played(TEAMS, []), ["a", "nobody"], 0);
    expect(lines).toEqual([{ name: "a", points: [{ ts: 0, points: 0 }] }]);
  });

  test("only the end of a long time before the first solve is drawn", () => {
    const board = played(TEAMS, [
      ["a", "static", 90_000],
      ["b", "static", 94_000],
    ]);
    const [line] = scoreLines(board, ["a"], 0);
    expect(line?.points.map(({ ts }) => ts)).toEqual([89_800, 90_000, 94_000]);
  });

  test("a start after the first solve does not cut it off", () => {
    const [line] = scoreLines(played(TEAMS, [["a", "static", 10]]), ["a"], 500);
    expect(line?.points).toEqual([{ ts: 10, points: 500 }]);
  });

  test("every line ends at the team's current points", () => {
    const seed = 20_231_125;
    let state = seed;
    const random = (below: number) => {
      state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
      return Math.floor((state / 2_147_483_648) * below);
    };
    const teams = Array.from({ length: 40 }, (_, index) => (index ? `t${index}` : "awarded"));
    const solves = Array.from({ length: 90 }, (_, index): [string, string, number] => [
      teams[random(40)] ?? "",
      KINDS[random(3)] ?? "",
      100 + Math.floor(index / 3) + random(10) / 1000,
    ]).sort((a, b) => a[2] - b[2]);
    const board = played(teams, solves);
    const lines = new Map(scoreLines(board, teams, 0).map(({ name, points }) => [name, points]));
    for (const { team, points } of rankTeams(board)) {
      expect(lines.get(team.teamName)?.at(-1)?.points, `${team.teamName}, seed ${seed}`).toBe(
        points,
      );
    }
  });
});

test("moments are evenly spaced with both ends; an empty span has one", () => {
  expect(moments(0, 100, 5)).toEqual([0, 25, 50, 75, 100]);
  expect(moments(100, 100, 5)).toEqual([100]);
});
