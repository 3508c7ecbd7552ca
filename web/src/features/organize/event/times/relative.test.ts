/** Distances in time. */
import { expect, test } from "vitest";
import { levelsOf, ticksOf } from "../line";
import { partsOf } from "./relative";

const MINUTE = 60_000;

test("a distance has its two largest units", () => {
  const cases = [
    [0, [["minute", 0]]],
    [59_999, [["minute", 0]]],
    [-5 * MINUTE, [["minute", 5]]],
    [
      130 * MINUTE,
      [
        ["hour", 2],
        ["minute", 10],
      ],
    ],
    [120 * MINUTE, [["hour", 2]]],
    [(24 * 60 + 5) * MINUTE, [["day", 1]]],
    [
      (50 * 60 + 5) * MINUTE,
      [
        ["day", 2],
        ["hour", 2],
      ],
    ],
  ] as const;
  for (const [ms, parts] of cases) expect(partsOf(ms)).toEqual(parts);
});

test("labels of near times are on different levels", () => {
  expect(levelsOf([0.1, 0.8, 0.85])).toEqual([0, 0, 1]);
  expect(levelsOf([0.85, 0.1, 0.8, 0.83])).toEqual([2, 0, 0, 1]);
});

test("ticks are at round times of the zone", () => {
  const from = Date.UTC(2031, 6, 4, 10, 20);
  const to = from + 5 * 60 * MINUTE;
  const { at, isDays } = ticksOf({ from, to }, 30 * MINUTE);
  expect(isDays).toBe(false);
  expect(at[0]).toBe(Date.UTC(2031, 6, 4, 10, 30));
  expect(at.every((ms) => (ms + 30 * MINUTE) % (60 * MINUTE) === 0)).toBe(true);
  expect(ticksOf({ from, to: from + 30 * 24 * 60 * MINUTE }, 0).isDays).toBe(true);
});
