/** Selection of the rows that stay in place while the others move. */
import { expect, test } from "vitest";
import { risingPlaces } from "./arrange";

function staying(numbers: number[]): number[] {
  return [...risingPlaces(numbers)].sort((a, b) => a - b).map((place) => numbers[place] ?? 0);
}

test("nothing moved: all stay", () => expect(staying([1, 2, 3, 4])).toEqual([1, 2, 3, 4]));
test("no rows", () => expect(staying([])).toEqual([]));
test("a climb from the end to the top moves one row", () => {
  expect(staying([2, 3, 4, 5, 1])).toEqual([2, 3, 4, 5]);
});
test("a fall from the top to the end moves one row", () => {
  expect(staying([5, 1, 2, 3, 4])).toEqual([1, 2, 3, 4]);
});
test("two that climb at once move two rows", () => {
  expect(staying([3, 4, 1, 5, 6, 2])).toEqual([3, 4, 5, 6]);
});
test("reversed: one stays", () => {
  expect(staying([4, 3, 2, 1])).toHaveLength(1);
});
