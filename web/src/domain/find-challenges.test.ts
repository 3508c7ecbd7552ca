import { expect, test } from "vitest";
import { labelsOf, sectionsOf, type Wish } from "./find-challenges";

const ALL: Wish = { q: "", show: "all", order: "place" };

function challenge(id: string, category: string, solved: boolean, more = {}) {
  return {
    id,
    challengeName: `The ${id}`,
    challengeType: "static" as const,
    maxValue: 100,
    minValue: 0,
    speedrunValues: [],
    categories: [category, "easy"],
    description: "<p>Look <em>down</em></p>",
    locked: false,
    requirements: [],
    nsolves: 0,
    fbTs: 0,
    solved,
    isPractice: false,
    sealed: false,
    solved_pos: solved ? 1 : null,
    solved_ts: solved ? 1 : null,
    ...more,
  };
}

const LIST = [
  challenge("anchor", "web", true, { maxValue: 300, nsolves: 4 }),
  challenge("buoy", "crypto", false, { maxValue: 50, nsolves: 9 }),
  challenge("crane", "web", false, { maxValue: 200, description: "<p>ROT13</p>", nsolves: 4 }),
];

function shown(wish: Partial<Wish>) {
  return sectionsOf(LIST, { ...ALL, ...wish }).map(({ category, challenges }) => [
    category,
    ...challenges.map(({ id }) => id),
  ]);
}

test("by category there is one section per first category, with its progress", () => {
  expect(shown({})).toEqual([
    ["web", "anchor", "crane"],
    ["crypto", "buoy"],
  ]);
  const [web] = sectionsOf(LIST, { ...ALL, show: "unsolved" });
  expect(web).toMatchObject({ category: "web", solved: 1, all: 2 });
  expect(web?.challenges.map(({ id }) => id)).toEqual(["crane"]);
});

test("solved and unsolved challenges", () => {
  expect(shown({ show: "solved" })).toEqual([["web", "anchor"]]);
  expect(shown({ show: "unsolved" })).toEqual([
    ["web", "crane"],
    ["crypto", "buoy"],
  ]);
});

test("a challenge solved just now stays among the unsolved ones", () => {
  expect(shown({ show: "unsolved", keep: "anchor" })[0]).toEqual(["web", "anchor", "crane"]);
});

test("lowest points or most solves first; ties keep their order", () => {
  expect(shown({ order: "points" })).toEqual([[null, "buoy", "crane", "anchor"]]);
  expect(shown({ order: "solves" })).toEqual([[null, "buoy", "anchor", "crane"]]);
});

test("search matches parts of name, category and description, ignoring case", () => {
  expect(shown({ q: " THE CRA" })).toEqual([["web", "crane"]]);
  expect(shown({ q: "Crypto" })).toEqual([["crypto", "buoy"]]);
  expect(shown({ q: "rot13" })).toEqual([["web", "crane"]]);
  expect(shown({ q: "em>" })).toEqual([]);
  expect(shown({ q: "anchor", show: "unsolved" })).toEqual([]);
});

test("labels filter and are found, and known difficulties come first", () => {
  const labeled = (id: string, labels: { difficulty?: string; tags?: string[] }) => {
    return { ...challenge(id, "web", false), ...labels };
  };
  const list = [
    labeled("anchor", { difficulty: "hard", tags: ["Cookies", "heap"] }),
    labeled("buoy", { difficulty: "Brutal", tags: ["heap"] }),
    labeled("crane", { difficulty: "beginner" }),
    labeled("dock", {}),
  ];
  expect(labelsOf(list)).toEqual({
    difficulties: ["beginner", "hard", "Brutal"],
    tags: ["Cookies", "heap"],
  });
  expect(labelsOf([labeled("dock", {})])).toEqual({ difficulties: [], tags: [] });
  const ids = (wish: Partial<Wish>) =>
    sectionsOf(list, { ...ALL, ...wish }).flatMap(({ challenges }) =>
      challenges.map(({ id }) => id),
    );
  expect(ids({ difficulty: "hard" })).toEqual(["anchor"]);
  expect(ids({ tag: "heap" })).toEqual(["anchor", "buoy"]);
  expect(ids({ tag: "heap", difficulty: "Brutal" })).toEqual(["buoy"]);
  expect(ids({ tag: "gone" })).toEqual([]);
  expect(ids({ q: "cookies" })).toEqual(["anchor"]);
  expect(ids({ q: "brutal" })).toEqual(["buoy"]);
});
