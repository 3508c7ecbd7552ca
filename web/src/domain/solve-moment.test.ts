import { expect, test } from "vitest";
import { type Board, rankTeams, type Solve } from "./board";
import { categoryAfter, gapOf, nextChallenge, solveGain, unlockedBy } from "./solve-moment";

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

test("a solve yields its current value, the new rank, and the ranks gained by it", () => {
  // Before the solve, Ants and Bees have 459 points each, Cats 200, and our team 100.
  expect(solveGain(board, ours, "a")).toEqual({
    isSealed: false,
    points: 424,
    rank: 1,
    up: 3,
    isFirst: false,
    gap: { points: 100, teamName: "Ants", isLead: true },
  });
});

test("a solve without a change of rank gains 0; the previous time is the previous solve's", () => {
  const tied: Board = { ...board, teams: [team("Zebras", { b: { position: 2, ts: 8 } })] };
  const own = team("Ours", { b: { position: 1, ts: 7 }, a: { position: 3, ts: 9 } });
  expect(solveGain({ ...tied, teams: [...tied.teams, own] }, own, "a")).toMatchObject({
    rank: 1,
    up: 0,
  });
});

test("during the freeze an own solve has at most its points, and nothing else", () => {
  const own = team("Ours", { b: { position: 1, ts: 7 }, a: { position: 3, ts: 9, later: true } });
  const teams = [...board.teams.slice(0, 3), own];
  const sealed = (id: string) => solveGain({ ...board, teams }, own, id);
  expect(sealed("a")).toEqual({ isSealed: true, points: 424, canFall: true });
  own.solves.set("b", { position: 1, ts: 9, later: true });
  expect(sealed("b")).toEqual({ isSealed: true, points: 100, canFall: false });
});

test("a first blood is one's own", () => {
  expect(solveGain(board, ours, "b")).toMatchObject({ isFirst: true });
});

test("the gap is to the next team above, or below the first", () => {
  const ranked = rankTeams(board);
  expect(ranked.map(({ team: { teamName }, points }) => [teamName, points])).toEqual([
    ["Ours", 524],
    ["Ants", 424],
    ["Bees", 424],
    ["Cats", 200],
  ]);
  expect(gapOf(ranked, "Ours")).toEqual({ points: 100, teamName: "Ants", isLead: true });
  expect(gapOf(ranked, "Bees")).toEqual({ points: 0, teamName: "Ants", isLead: false });
  expect(gapOf(ranked, "Cats")).toEqual({ points: 224, teamName: "Bees", isLead: false });
  expect(gapOf(ranked.slice(0, 1), "Ours")).toBeNull();
  expect(gapOf(ranked, "Nobody")).toBeNull();
});

test("the progress in the category counts the solve before the board does", () => {
  const list = [
    listed("a"),
    listed("b", { solved: true }),
    listed("c"),
    listed("d", { categories: ["pwn", "web"], solved: true }),
  ];
  expect(categoryAfter(list, "a")).toEqual({ category: "web", solved: 2, all: 3 });
  expect(categoryAfter(list, "b")).toEqual({ category: "web", solved: 1, all: 3 });
  expect(categoryAfter([listed("a", { categories: [] })], "a")).toBeNull();
});

test("nothing is known before the board has the solve", () => {
  expect(solveGain(null, ours, "a")).toBeNull();
  expect(solveGain(board, null, "a")).toBeNull();
  expect(solveGain(board, board.teams[2] ?? null, "a")).toBeNull();
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
  isPractice: false,
  sealed: false,
  solved_pos: null,
  solved_ts: null,
  ...more,
});

test("dependent challenges unlock once all requirements are solved", () => {
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

test("the next challenge is from the same category, wrapping around", () => {
  const list = [
    listed("first"),
    listed("here", { solved: true }),
    listed("other", { categories: ["pwn"], nsolves: 90 }),
    listed("below"),
  ];
  expect(nextChallenge(list, "here", 0)?.id).toBe("below");
  expect(nextChallenge(list.slice(0, 3), "here", 0)?.id).toBe("first");
});

test("otherwise the most solved available challenge, or null", () => {
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
