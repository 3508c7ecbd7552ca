/** Values that the list derives from the board, and reasons to refetch it. */
import { describe, expect, test } from "vitest";
import type { Board, Team } from "./board";
import {
  deriveChallenges,
  distinctCategories,
  type Listed,
  ownRow,
  progressOf,
  refetchReason,
  withoutHidden,
} from "./challenges";

function listed(id: string, more: Partial<Listed> = {}): Listed {
  return { id, categories: ["web"], locked: false, requirements: [], nsolves: 0, fbTs: 0, ...more };
}
function boardOf(ids: readonly string[], solved: readonly string[] = []): Board {
  const solves = solved.map((id, index) => [id, { position: index + 1, ts: 100 + index }] as const);
  const team: Team = {
    teamName: "us",
    country: "IT",
    solves: new Map(solves),
    lastSolveTs: 0,
    award: 0,
  };
  const challenges = ids.map((id) => ({
    id,
    challengeName: id,
    challengeType: "static" as const,
    maxValue: 1,
    minValue: 1,
    speedrunValues: [],
    categories: [],
    nsolves: 7,
    fbTs: 9,
  }));
  return { seq: 1, generation: "g", challenges, teams: [team] };
}

test("solved, position and time come from the own row; the counts from the board", () => {
  const board = boardOf(["a", "b"], ["b"]);
  const derived = deriveChallenges([listed("a"), listed("b")], board, ownRow(board, "us"));
  expect(derived[0]).toMatchObject({
    solved: false,
    solved_pos: null,
    solved_ts: null,
    nsolves: 7,
  });
  expect(derived[1]).toMatchObject({ solved: true, solved_pos: 1, solved_ts: 100, fbTs: 9 });
});

test("a sealed solve is solved, and not counted", () => {
  const board = boardOf(["a", "b"], ["a"]);
  const sealed = { position: 7, ts: 100, later: true } as const;
  const us = { ...board.teams[0], solves: new Map([["a", sealed]]) } as Team;
  const [derived, other] = deriveChallenges([listed("a"), listed("b")], board, us);
  expect(derived).toMatchObject({ solved: true, sealed: true, nsolves: 6, fbTs: 9 });
  expect(other).toMatchObject({ solved: false, sealed: false, nsolves: 7 });
  const only = { ...board, challenges: board.challenges.map((one) => ({ ...one, nsolves: 1 })) };
  expect(deriveChallenges([listed("a")], only, us)[0]).toMatchObject({ nsolves: 0, fbTs: 0 });
});

test("without a board the list uses its own values", () => {
  const [derived] = deriveChallenges([listed("a", { nsolves: 3 })], null, ownRow(null, "us"));
  expect(derived).toMatchObject({ solved: false, nsolves: 3 });
});

test("a challenge is hidden when all its categories are hidden", () => {
  const list = [
    listed("a", { categories: ["web"] }),
    listed("b", { categories: ["web", "pwn"] }),
    listed("c", { categories: [] }),
  ];
  expect(distinctCategories(list)).toEqual(["web", "pwn"]);
  const ids = (hidden: string[]) => withoutHidden(list, new Set(hidden)).map(({ id }) => id);
  expect(ids([])).toEqual(["a", "b", "c"]);
  expect(ids(["web"])).toEqual(["b", "c"]);
  expect(ids(["web", "pwn"])).toEqual(["c"]);
});

describe("the reason to refetch", () => {
  const locked = listed("b", { locked: true, requirements: ["a"] });
  test("none while the sets agree and nothing opened", () => {
    const board = boardOf(["b", "a"]);
    expect(refetchReason([listed("a"), locked], board, ownRow(board, "us"))).toBeNull();
    expect(refetchReason([listed("a")], null, null)).toBeNull();
  });
  test("a lock whose requirements are all solved", () => {
    const board = boardOf(["a", "b"], ["a"]);
    const reason = refetchReason([listed("a"), locked], board, ownRow(board, "us"));
    expect(reason).toContain("unlocked b");
  });
  test("a different live set, with a stable reason for the same set", () => {
    const reason = refetchReason([listed("a")], boardOf(["a", "b"]), null);
    expect(reason).not.toBeNull();
    expect(refetchReason([listed("a")], boardOf(["b", "a"]), null)).toBe(reason);
    expect(refetchReason([listed("c")], boardOf(["a"]), null)).not.toBeNull();
  });
});

test("progress is counted by first category, also before the team has a row", () => {
  const board = boardOf(["a", "b", "c"], ["b", "c"]);
  const challenges = board.challenges.map((challenge) => ({
    ...challenge,
    categories: challenge.id === "c" ? ["web", "misc"] : ["misc"],
  }));
  const own = board.teams[0] ?? null;
  expect(progressOf({ ...board, challenges }, own)).toEqual([
    { category: "misc", solved: 1, all: 2 },
    { category: "web", solved: 1, all: 1 },
  ]);
  expect(progressOf({ ...board, challenges }, null).map(({ solved }) => solved)).toEqual([0, 0]);
});
