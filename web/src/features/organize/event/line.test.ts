/** The timeline: handles, positions, and invalid times. */
import { expect, test } from "vitest";
import { faultOf, handlesOf, MINUTE_MS, marksOf, placeOf, spanOf } from "./line";

const HOUR_MS = 60 * MINUTE_MS;
const challenge = (id: string, more: object) => ({
  id,
  challengeName: `Name of ${id}`,
  categories: [],
  state: "timed",
  status: "works",
  statusNote: "",
  value: 1,
  solves: 0,
  ...more,
});

test("handles exist for phases with a time, and one per group of released challenges", () => {
  const challenges = [
    challenge("a", { releasesAt: 9 }),
    challenge("b", { releasesAt: 5 }),
    challenge("c", { releasesAt: 9, closesAt: 20 }),
    challenge("d", {}),
  ];
  const handles = handlesOf({ start: 1, freeze: null, end: 30 }, challenges);
  const names = handles.map(({ key, challenges }) => [key, challenges.map(({ id }) => id).join()]);
  expect(names).toEqual([
    ["start", ""],
    ["end", ""],
    ["release 5", "b"],
    ["release 9", "a,c"],
  ]);
  const notice = { id: 7, at: 12, title: "Soon", waits: true };
  const marks = marksOf(challenges, [notice, { ...notice, id: 8, waits: false }]);
  expect(marks.map(({ key, at }) => `${key} ${at}`)).toEqual(["closes c 20", "notice 7 12"]);
});

test("the timeline has space on both sides, and grows only for typed times", () => {
  const [start, end] = [100 * HOUR_MS, 108 * HOUR_MS];
  const span = spanOf([start, end], [start, end]);
  expect(span).toEqual({ from: 98 * HOUR_MS, to: 110 * HOUR_MS });
  expect(spanOf([start, end], [start, 109 * HOUR_MS])).toEqual(span);
  expect(spanOf([start, end], [start, 120 * HOUR_MS]).to).toBe(120 * HOUR_MS);
  expect(spanOf([start], [start])).toEqual({ from: 99 * HOUR_MS, to: 101 * HOUR_MS });
  expect([98, 104, 110, 300].map((at) => placeOf(at * HOUR_MS, span))).toEqual([0, 0.5, 1, 1]);
});

test.each([
  [{ start: 1, freeze: 2, end: 3 }, null],
  [{ start: 1, freeze: 3, end: 3 }, null],
  [{ start: 3, end: 3 }, "end_before_start"],
  [{ start: 2, freeze: 1, end: 3 }, "freeze_before_start"],
  [{ start: 1, freeze: 4, end: 3 }, "freeze_after_end"],
  [{}, null],
])("the times %j: %s", (times, fault) => expect(faultOf(times)).toBe(fault));
