import { expect, test } from "vitest";
import type { Board, BoardChallenge, Team } from "./board";
import { figuresOf, latestSolves, publicBoard } from "./highlights";

const challenge = (id: string, nsolves: number, fbTs: number) =>
  ({ id, challengeName: `The ${id}`, nsolves, fbTs, categories: ["web"] }) as BoardChallenge;

const team = (teamName: string, country: string, solves: Team["solves"]): Team => {
  const lastSolveTs = Math.max(0, ...[...solves.values()].map(({ ts }) => ts));
  return { teamName, country, solves, award: 0, lastSolveTs };
};

const board: Board = {
  seq: 1,
  generation: "g",
  challenges: [challenge("a", 2, 10), challenge("b", 1, 50)],
  teams: [
    team("Ants", "IT", new Map([["a", { position: 1, ts: 10 }]])),
    team(
      "Ours",
      "UN",
      new Map([
        ["a", { position: 2, ts: 20 }],
        ["b", { position: 1, ts: 50, later: true }],
      ]),
    ),
    team("Bees", "FR", new Map()),
  ],
};

test("a team's own solves since the freeze are not public", () => {
  const shown = publicBoard(board, "Ours");
  expect(shown.challenges.map(({ nsolves, fbTs }) => [nsolves, fbTs])).toEqual([
    [2, 10],
    [0, 0],
  ]);
  expect([...(shown.teams[1]?.solves.keys() ?? [])]).toEqual(["a"]);
  expect(shown.teams[1]?.lastSolveTs).toBe(20);
  expect(publicBoard(board, null)).toBe(board);
  expect(publicBoard(board, "Ants")).toBe(board);
});

test("figures count teams, countries but the unknown one, solves and first bloods", () => {
  expect(figuresOf(board)).toEqual({
    teams: 3,
    countries: 2,
    challenges: 2,
    solves: 3,
    firstBloods: 2,
  });
  expect(figuresOf(publicBoard(board, "Ours"))).toMatchObject({ solves: 2, firstBloods: 1 });
});

test("the latest solves are the newest of all teams", () => {
  expect(latestSolves(board, 2).map(({ teamName, ts }) => [teamName, ts])).toEqual([
    ["Ours", 50],
    ["Ours", 20],
  ]);
  expect(latestSolves(board, 9)).toHaveLength(3);
  expect(latestSolves(board, 9)[2]).toEqual({
    teamName: "Ants",
    challengeId: "a",
    challengeName: "The a",
    isFirst: true,
    ts: 10,
  });
});
