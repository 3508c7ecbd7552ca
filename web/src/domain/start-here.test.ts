/** The easiest challenge of each category that a team can solve now. */
import { expect, test } from "vitest";
import { startingChallenges } from "./start-here";

const NOW_MS = 1000;

const challenge = (id: string, category: string, more: object = {}) => ({
  id,
  challengeName: id,
  challengeType: "static" as const,
  maxValue: 100,
  minValue: 0,
  speedrunValues: [],
  categories: [category],
  status: "works",
  locked: false,
  requirements: [],
  nsolves: 0,
  fbTs: 0,
  solved: false,
  isPractice: false,
  sealed: false,
  solved_pos: null,
  solved_ts: null,
  ...more,
});

const idsOf = (...list: ReturnType<typeof challenge>[]) =>
  startingChallenges(list, NOW_MS).map(({ id }) => id);

test("fewest points first, then most solves; one for each category, in the list's order", () => {
  expect(
    idsOf(
      challenge("a", "web"),
      challenge("b", "pwn", { maxValue: 300 }),
      challenge("c", "web", { nsolves: 3 }),
      challenge("d", "pwn", { maxValue: 200 }),
    ),
  ).toEqual(["c", "d"]);
});

test("not those that are solved, locked, broken or closed, or without points", () => {
  expect(
    idsOf(
      challenge("solved", "a", { solved: true }),
      challenge("locked", "b", { locked: true }),
      challenge("broken", "c", { status: "broken" }),
      challenge("closed", "d", { closes: NOW_MS }),
      challenge("empty", "e", { challengeType: "speedrun", speedrunValues: [5], nsolves: 2 }),
      challenge("open", "f", { closes: NOW_MS + 1 }),
    ),
  ).toEqual(["open"]);
});
