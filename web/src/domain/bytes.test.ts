import { expect, test } from "vitest";
import { sizeOf } from "./bytes";

test("a size uses the largest unit with a value of at least one", () => {
  expect(sizeOf(0)).toEqual({ value: 0, unit: "byte" });
  expect(sizeOf(999)).toEqual({ value: 999, unit: "byte" });
  expect(sizeOf(1000)).toEqual({ value: 1, unit: "kilobyte" });
  expect(sizeOf(1_234_567)).toEqual({ value: 1.234567, unit: "megabyte" });
  expect(sizeOf(5_000_000_000_000)).toEqual({ value: 5000, unit: "gigabyte" });
});
