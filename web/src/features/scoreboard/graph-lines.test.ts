/** The graph's time axis, its freeze, and lines that show only what the public sees. */
import { describe, expect, test } from "vitest";
import type { Board } from "../../domain/board";
import { publicBoard } from "../../domain/highlights";
import { applyDelta } from "../../domain/live";
import { frameOf, graphOf, hasScores } from "./graph-lines";

const HOUR_S = 3600;
const TIMES = { startTime: 0, freezeTime: 4 * HOUR_S * 1000, endTime: 5 * HOUR_S * 1000 };

function at(hours: number, status: "running" | "frozen" | "ended") {
  const isHidden = status === "frozen";
  return { times: TIMES, status, isHidden, nowMs: hours * HOUR_S * 1000 };
}

describe("the time axis", () => {
  test("is from the first solve to now, also long before the end", () => {
    const { fromTs, untilTs, toTs, freezeTs, endTs } = frameOf(at(2, "running"), 600, 900);
    expect([fromTs, untilTs, toTs]).toEqual([600, 2 * HOUR_S, 2 * HOUR_S]);
    expect([freezeTs, endTs]).toEqual([null, null]);
  });
  test("has a minute at least", () => {
    expect(frameOf(at(1, "running"), HOUR_S, HOUR_S).toTs).toBe(HOUR_S + 60);
  });
  test("in the freeze the lines end at its start", () => {
    const { untilTs, toTs, freezeTs } = frameOf(at(4.5, "frozen"), 600, 900);
    expect([untilTs, toTs, freezeTs]).toEqual([4 * HOUR_S, 4.5 * HOUR_S, 4 * HOUR_S]);
  });
  test("the freeze is wide enough to see in its first seconds", () => {
    expect(frameOf(at(4.001, "frozen"), 0, 900).toTs).toBeCloseTo(4.32 * HOUR_S);
  });
  test("after the end the lines fill it, and the freeze stays marked", () => {
    const { untilTs, toTs, freezeTs, endTs } = frameOf(at(9, "ended"), 600, 4.5 * HOUR_S);
    expect([untilTs, toTs]).toEqual([5 * HOUR_S, 5 * HOUR_S]);
    expect([freezeTs, endTs]).toEqual([4 * HOUR_S, 5 * HOUR_S]);
  });
  test("after the end the lines end at the freeze until the organizers reveal the board", () => {
    const { untilTs, toTs } = frameOf({ ...at(9, "ended"), isHidden: true }, 600, 900);
    expect([untilTs, toTs]).toEqual([4 * HOUR_S, 5 * HOUR_S]);
  });
  test("without times it spans the solves", () => {
    const times = { startTime: null, freezeTime: null, endTime: null };
    const { fromTs, toTs } = frameOf(
      { times, status: "unknown", isHidden: false, nowMs: 800_000 },
      600,
      900,
    );
    expect([fromTs, toTs]).toEqual([600, 900]);
  });
});

const EMPTY: Board = {
  seq: 1,
  generation: null,
  challenges: [
    {
      id: "tide",
      challengeName: "Rising tide",
      challengeType: "dynamic",
      maxValue: 500,
      minValue: 50,
      speedrunValues: [],
      categories: ["web"],
      nsolves: 0,
      fbTs: 0,
    },
  ],
  teams: ["ours", "theirs"].map((teamName) => {
    return { teamName, country: "UN", solves: new Map(), lastSolveTs: 0, award: 0 };
  }),
};

test("a first blood is on its team's line", () => {
  const solve = { event: "solve", challengeId: "tide", teamName: "ours", ts: 900, seq: 2 } as const;
  const { lines, story } = graphOf(applyDelta(EMPTY, solve), at(2, "running"), null);
  expect(story.bloods).toEqual([{ name: "ours", ts: 900, challenge: "Rising tide" }]);
  const { points = [] } = lines[0] ?? {};
  expect(points).toContainEqual({ ts: 900, points: 500 });
  expect([points[0], points.at(-1)]).toEqual([
    { ts: 840, points: 0 },
    { ts: 2 * HOUR_S, points: 500 },
  ]);
});

test("the viewer's team has a line beside the top ten, with its rank", () => {
  const teams = Array.from({ length: 14 }, (_, index) => {
    const teamName = `crew ${index}`;
    return { teamName, country: "UN", solves: new Map(), lastSolveTs: 0, award: 100 - index };
  });
  const drawn = (own: string | null) =>
    graphOf({ ...EMPTY, teams }, at(2, "running"), own).lines.map(({ name, rank }) => [name, rank]);
  expect(drawn("crew 12").slice(9)).toEqual([
    ["crew 9", 10],
    ["crew 12", 13],
  ]);
  expect(drawn("crew 3")).toHaveLength(10);
  expect(drawn(null)).toHaveLength(10);
});

test("the viewer's own solve since the freeze is on no line", () => {
  const later = { event: "solve", challengeId: "tide", teamName: "ours", ts: 15_000 } as const;
  const board = publicBoard(applyDelta(EMPTY, later), "ours");
  const { lines, story } = graphOf(board, at(4.5, "frozen"), "ours");
  expect(story.bloods).toEqual([]);
  expect(hasScores(lines)).toBe(false);
  expect(lines[0]?.points.at(-1)).toEqual({ ts: 4 * HOUR_S, points: 0 });
});
