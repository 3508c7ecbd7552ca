import { expect, test } from "vitest";
import type { Board, Solve } from "./board";
import { gainOf, nextChallenge, unlockedBy } from "./solve-moment";

const column = (id: string, nsolves: number, dynamic = false) => ({
  id,
  challengeName: id,
  challengeType: dynamic ? ("dynamic" as const) : ("static" as const),
  maxValue: dynamic ? 500 : 100,
  minValue: dynamic ? 50 : 0,
  speedrunValues: [],
  categories: [],
  nsolves,
  fbTs: 1,
});

const team = (teamName: string, solves: Record<string, Solve>, award = 0) => ({
  teamName,
  country: "IT",
  solves: new Map(Object.entries(solves)),
  lastSolveTs: Math.max(0, ...Object.values(solves).map(({ ts }) => ts)),
  award,
});

const board: Board = {
  seq: 9,
  generation: "g",
  challenges: [column("a", 3, true), column("b", 1)],
  teams: [
    team("Ants", { a: { position: 1, ts: 5 } }),
    team("Bees", { a: { position: 2, ts: 6 } }),
    team("Cats", {}, 200),
    team("Ours", { b: { position: 1, ts: 7 }, a: { position: 3, ts: 9 } }),
  ],
};
const [, , , ours = null] = board.teams;

test("a solve brings its value now, a rank, and places by the solve alone", () => {
  // Before: Ants and Bees have 459 each, Cats 200, we 100.
  expect(gainOf(board, ours, "a")).toEqual({ points: 424, rank: 1, up: 3 });
});

test("a solve that moves no place says so; the time before was that of the solve before", () => {
  const tied: Board = { ...board, teams: [team("Zebras", { b: { position: 2, ts: 8 } })] };
  const own = team("Ours", { b: { position: 1, ts: 7 }, a: { position: 3, ts: 9 } });
  expect(gainOf({ ...tied, teams: [...tied.teams, own] }, own, "a")).toMatchObject({
    rank: 1,
    up: 0,
  });
});

test("in the freeze an own solve promises no rank", () => {
  const own = team("Ours", { b: { position: 1, ts: 7 }, a: { position: 3, ts: 9, later: true } });
  const teams = [...board.teams.slice(0, 3), own];
  expect(gainOf({ ...board, teams }, own, "a")).toEqual({ points: 424, rank: null });
});

test("nothing is known before the board has the solve", () => {
  expect(gainOf(null, ours, "a")).toBeNull();
  expect(gainOf(board, null, "a")).toBeNull();
  expect(gainOf(board, board.teams[2] ?? null, "a")).toBeNull();
});

const listed = (id: string, more = {}) => ({
  id,
  categories: ["web"],
  locked: false,
  requirements: [] as string[],
  nsolves: 0,
  fbTs: 0,
  status: "works",
  solved: false,
  solved_pos: null,
  solved_ts: null,
  ...more,
});

test("what required it is unlocked once nothing else is missing", () => {
  const list = [
    listed("a"),
    listed("b", { requirements: ["a"], locked: true }),
    listed("c", { requirements: ["a", "d"], locked: true }),
    listed("d"),
    listed("e", { requirements: ["a"], solved: true }),
  ];
  expect(unlockedBy(list, "a").map(({ id }) => id)).toEqual(["b"]);
  const more = list.map((one) => (one.id === "d" ? { ...one, solved: true } : one));
  expect(unlockedBy(more, "a").map(({ id }) => id)).toEqual(["b", "c"]);
});

test("the next one is of the same category, further down or from the top", () => {
  const list = [
    listed("first"),
    listed("here", { solved: true }),
    listed("other", { categories: ["pwn"], nsolves: 90 }),
    listed("below"),
  ];
  expect(nextChallenge(list, "here", 0)?.id).toBe("below");
  expect(nextChallenge(list.slice(0, 3), "here", 0)?.id).toBe("first");
});

test("else the most solved one that can be played; null when there is none", () => {
  const pwn = (id: string, nsolves: number, more = {}) =>
    listed(id, { categories: ["pwn"], nsolves, ...more });
  const list = [
    listed("here", { solved: true }),
    pwn("few", 1),
    pwn("many", 7),
    pwn("locked", 9, { locked: true }),
    pwn("broken", 9, { status: "broken" }),
    pwn("closed", 9, { closes: 10 }),
  ];
  expect(nextChallenge(list, "here", 10)?.id).toBe("many");
  expect(nextChallenge(list, "here", 9)?.id).toBe("closed");
  expect(nextChallenge(list.slice(0, 1), "here", 0)).toBeNull();
});
