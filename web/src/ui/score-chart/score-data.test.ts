/** Score lines aligned to common times, and labels that do not overlap. */
import { describe, expect, test } from "vitest";
import { alignedLines, scoreAt, spread } from "./score-data";

describe("alignedLines", () => {
  test("a score holds until the line's next point", () => {
    const lines = [
      {
        name: "a",
        points: [
          { ts: 0, points: 0 },
          { ts: 20, points: 500 },
        ],
      },
      {
        name: "b",
        points: [
          { ts: 0, points: 7 },
          { ts: 10, points: 107 },
          { ts: 30, points: 90 },
        ],
      },
    ];
    expect(alignedLines(lines)).toEqual([
      [0, 10, 20, 30],
      [0, 0, 500, 500],
      [7, 107, 107, 90],
    ]);
  });
  test("no line, no time", () => expect(alignedLines([])).toEqual([[]]));
});

describe("spread", () => {
  const TABLE: [name: string, wishes: number[], places: number[]][] = [
    ["far apart they stay", [10, 50], [10, 50]],
    ["close ones make room below", [10, 12, 14], [10, 20, 30]],
    ["whatever their order", [14, 10, 12], [30, 10, 20]],
    ["at the bottom they make room above", [99, 98, 97], [100, 90, 80]],
  ];
  for (const [name, wishes, places] of TABLE) {
    test(name, () => expect(spread(wishes, 10, 100)).toEqual(places));
  }
});

describe("a score holds until the next change, at the ends as between", () => {
  const points = [
    { ts: 10, points: 3 },
    { ts: 20, points: 500 },
    { ts: 30, points: 490 },
  ];
  for (const [ts, expected] of [
    [-5, 3],
    [10, 3],
    [19.999, 3],
    [20, 500],
    [29, 500],
    [30, 490],
    [99, 490],
  ] as const) {
    test(`at ${ts} it reads ${expected}`, () => expect(scoreAt(points, ts)).toBe(expected));
  }
  test("no point, no score", () => expect(scoreAt([], 5)).toBe(0));
});
