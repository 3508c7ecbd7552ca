/** Score lines aligned to common times, changes of the lead, and labels that do not overlap. */
import { describe, expect, test } from "vitest";
import {
  alignedLines,
  isLeading,
  leadChanges,
  nearestLine,
  scoreAt,
  scoresAt,
  spread,
} from "./score-data";

/** A line through points, each a time and a score. */
function line(name: string, ...points: [ts: number, points: number][]) {
  return { name, points: points.map(([ts, points]) => ({ ts, points })) };
}

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
    ["close ones are around their middle", [30, 32, 34], [22, 32, 42]],
    ["whatever their order", [34, 30, 32], [42, 22, 32]],
    ["at the top they make room below", [3, 2, 1], [20, 10, 0]],
    ["at the bottom they make room above", [99, 98, 97], [100, 90, 80]],
  ];
  for (const [name, wishes, places] of TABLE) {
    test(name, () => expect(spread(wishes, 10, 100)).toEqual(places));
  }
});

describe("a score holds until the next change, also at the ends", () => {
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

describe("changes of the lead", () => {
  const lines = [line("a", [0, 0], [10, 100], [40, 300]), line("b", [0, 0], [20, 100], [30, 200])];
  test("the first leader and a tie do not count as changes", () => {
    expect(leadChanges(lines)).toEqual([
      { name: "b", ts: 30 },
      { name: "a", ts: 40 },
    ]);
  });
  test("without points nobody leads", () => {
    expect(leadChanges([line("a", [0, 0], [10, 0])])).toEqual([]);
    expect(leadChanges([])).toEqual([]);
  });
});

describe("the line at the pointer", () => {
  const lines = [line("low", [0, 0], [10, 100]), line("high", [0, 0], [10, 500])];
  test("is the nearest within reach", () => {
    expect(nearestLine(lines, 12, 130, 50)).toBe("low");
    expect(nearestLine(lines, 12, 480, 50)).toBe("high");
    expect(nearestLine(lines, 12, 300, 50)).toBeNull();
    expect(nearestLine([], 12, 300, 50)).toBeNull();
  });
  test("scores at a time are sorted, and keep their line's index", () => {
    expect(scoresAt(lines, 15).map(({ name, index }) => [name, index])).toEqual([
      ["high", 1],
      ["low", 0],
    ]);
  });
});

test("the leading three and the viewer's own team are in color", () => {
  const leading = ["a", "b", "c", "d", "own"].map((name, index) => isLeading(index, name, "own"));
  expect(leading).toEqual([true, true, true, false, true]);
});
