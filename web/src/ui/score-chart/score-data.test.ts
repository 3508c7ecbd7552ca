/** Score lines aligned to common times, and labels that do not overlap. */
import { describe, expect, test } from "vitest";
import { alignedLines, scoresAt, spread } from "./score-data";

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

test("a score holds until the next change, at the ends as between", () => {
  const data: [number[], ...number[][]] = [
    [10, 20, 30],
    [0, 5, 9],
    [1, 1, 4],
  ];
  expect(scoresAt(data, 5)).toEqual([0, 1]);
  expect(scoresAt(data, 10)).toEqual([0, 1]);
  expect(scoresAt(data, 29)).toEqual([5, 1]);
  expect(scoresAt(data, 30)).toEqual([9, 4]);
  expect(scoresAt(data, 99)).toEqual([9, 4]);
});
