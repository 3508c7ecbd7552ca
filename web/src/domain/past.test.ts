/** Earlier scores and ranks. */
import { describe, expect, test } from "vitest";
import type { Board, BoardChallenge, Solve, Team } from "./board";
import { rankTeams } from "./board";
import { Past } from "./past";

const challenge = (id: string, more: Partial<BoardChallenge> = {}): BoardChallenge => ({
  id,
  challengeName: id,
  challengeType: "static",
  maxValue: 100,
  minValue: 0,
  speedrunValues: [],
  categories: ["web"],
  nsolves: 0,
  fbTs: 0,
  ...more,
});

function team(teamName: string, solves: Record<string, Solve>, award = 0): Team {
  const last = Math.max(0, ...Object.values(solves).map(({ ts }) => ts));
  const entries = new Map(Object.entries(solves));
  return { teamName, country: "IT", solves: entries, lastSolveTs: last, award };
}

const BOARD: Board = {
  seq: 1,
  generation: "g",
  challenges: [
    challenge("plain", { nsolves: 2 }),
    challenge("falling", { challengeType: "dynamic", maxValue: 500, minValue: 50, nsolves: 3 }),
    challenge("race", { challengeType: "speedrun", speedrunValues: [30, 20], nsolves: 2 }),
  ],
  teams: [
    team("Early", { plain: { position: 1, ts: 100 }, falling: { position: 1, ts: 120 } }),
    team("Late", {
      falling: { position: 2, ts: 300 },
      plain: { position: 2, ts: 310 },
      race: { position: 1, ts: 350 },
    }),
    team("Racer", { race: { position: 2, ts: 360 }, falling: { position: 3, ts: 400 } }, 5),
    team("Nobody yet", {}),
  ],
};

describe("scores over time", () => {
  test("end with the current scores, with awards from the start", () => {
    const scoresOf = new Past(BOARD).scoresOver(0, 400, 5);
    const now = new Map(rankTeams(BOARD).map(({ team, points }) => [team.teamName, points]));
    for (const { teamName } of BOARD.teams) {
      expect(scoresOf(teamName).at(-1), teamName).toBe(now.get(teamName));
    }
    expect(scoresOf("Racer")[0]).toBe(5);
    expect(scoresOf("Unknown")).toEqual([]);
  });
  test("a value falls with later solves, and a race keeps its place's value", () => {
    const scoresOf = new Past(BOARD).scoresOver(0, 400, 5);
    expect(scoresOf("Early")).toEqual([0, 100, 600, 559, 524]);
    expect(scoresOf("Late").at(-1)).toBe(424 + 100 + 30);
  });
  test("solves after the end are ignored", () => {
    expect(new Past(BOARD).scoresOver(0, 200, 2)("Late")).toEqual([0, 0]);
  });
});

describe("earlier ranks", () => {
  test("only teams that had points have one", () => {
    expect([...new Past(BOARD).ranksAt(200)]).toEqual([
      ["Early", 1],
      ["Racer", 2],
    ]);
  });
  test("now they are the board's own order", () => {
    const ranked = rankTeams(BOARD).filter(({ points }) => points > 0);
    expect([...new Past(BOARD).ranksAt(1000)]).toEqual(
      ranked.map(({ team, rank }) => [team.teamName, rank]),
    );
  });
});
