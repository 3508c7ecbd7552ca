/** First solvers of a division. */
import { expect, test } from "vitest";
import type { Board, BoardChallenge, Team } from "./board";
import { firstSolvers } from "./first-solvers";

const column = (id: string): BoardChallenge => ({
  id,
  challengeName: `Challenge ${id}`,
  challengeType: "static",
  maxValue: 100,
  minValue: 0,
  speedrunValues: [],
  categories: [],
  nsolves: 2,
  fbTs: 1,
});

function team(teamName: string, positions: Record<string, number>, divisions?: string[]): Team {
  const solves = Object.entries(positions).map(
    ([id, position]) => [id, { position, ts: position }] as const,
  );
  return {
    teamName,
    country: "IT",
    solves: new Map(solves),
    lastSolveTs: 0,
    award: 0,
    ...(divisions && { divisions }),
  };
}

test("a division has its own first solver beside the first blood of the event", () => {
  const board: Board = {
    seq: 1,
    generation: "g",
    challenges: ["a", "b", "c"].map(column),
    teams: [
      team("Pros", { a: 1, b: 1 }),
      team("Late School", { a: 3 }, ["school"]),
      team("School", { a: 2 }, ["school", "human"]),
    ],
  };
  expect(firstSolvers(board, "school")).toEqual([
    { id: "a", challengeName: "Challenge a", event: "Pros", division: "School" },
    { id: "b", challengeName: "Challenge b", event: "Pros", division: null },
  ]);
});
