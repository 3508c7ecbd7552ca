/** The day is said where it is another one. */
import { expect, test } from "vitest";
import { hours } from "./hours";

const NOON = new Date(2026, 10, 25, 12, 5).getTime();

test("today the time alone, else the day before it", () => {
  expect(hours(NOON, "en-GB", NOON + 3_600_000)).toBe("12:05");
  expect(hours(NOON, "en-GB", NOON + 24 * 3_600_000)).toBe("25 Nov, 12:05");
});
