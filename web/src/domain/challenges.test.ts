/** What the list derives from the board, and when it is refetched. */
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

test("without a board the list says what it knows", () => {
  const [derived] = deriveChallenges([listed("a", { nsolves: 3 })], null, ownRow(null, "us"));
  expect(derived).toMatchObject({ solved: false, nsolves: 3 });
});

test("a challenge goes when all its categories are hidden", () => {
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

describe("the reason to fetch again", () => {
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
  test("a live set that differs, the same reason as long as it is the same set", () => {
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
