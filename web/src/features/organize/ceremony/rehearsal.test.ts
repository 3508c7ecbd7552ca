import { expect, test } from "vitest";
import { type Board, type BoardChallenge, rankTeams } from "../../../domain/board";
import { rehearsalOf } from "./rehearsal";
import { isProven } from "./script";

const challenge = (id: string, more: Partial<BoardChallenge>): BoardChallenge => ({
  id,
  challengeName: id,
  categories: ["misc"],
  challengeType: "dynamic",
  maxValue: 500,
  minValue: 50,
  speedrunValues: [],
  nsolves: 0,
  fbTs: 0,
  ...more,
});

const BOARD: Board = {
  seq: 1,
  generation: "one",
  challenges: [
    challenge("heap", { nsolves: 10 }),
    challenge("maze", {}),
    challenge("race", { challengeType: "speedrun", speedrunValues: [100, 50] }),
    challenge("fixed", { challengeType: "static", maxValue: 80 }),
  ],
  teams: Array.from({ length: 40 }, (_, number) => ({
    teamName: `Team ${number}`,
    country: "IT",
    solves: new Map(number < 10 ? [["heap", { position: number + 1, ts: 1000 + number }]] : []),
    lastSolveTs: number < 10 ? 1000 + number : 0,
    award: number === 3 ? 25 : 0,
  })),
};

test("a rehearsal starts at the public board and only depends on its seed", () => {
  const made = rehearsalOf("Test CTF", BOARD, ["Team 4"], 7);
  expect(made).toEqual(rehearsalOf("Test CTF", BOARD, ["Team 4"], 7));
  expect(made).not.toEqual(rehearsalOf("Test CTF", BOARD, ["Team 4"], 8));
  const ranked = rankTeams(BOARD);
  expect(made.teams.map(({ teamName }) => teamName)).toEqual(
    ranked.map(({ team }) => team.teamName),
  );
  expect(made.teams.map(({ frozenPoints }) => frozenPoints)).toEqual(
    ranked.map(({ points }) => points),
  );
  expect(made.teams.filter(({ student }) => student).map(({ teamName }) => teamName)).toEqual([
    "Team 4",
  ]);
});

test("its steps end at its own final ranking, and move somebody", () => {
  for (let seed = 1; seed <= 50; seed += 1) {
    const made = rehearsalOf("Test CTF", BOARD, [], seed);
    expect(isProven(made), `seed ${seed}`).toBe(true);
    expect(made.teams.some(({ finalRank }, index) => finalRank !== index + 1)).toBe(true);
  }
});
