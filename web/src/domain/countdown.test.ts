/** The countdown's units and rings. */
import { expect, test } from "vitest";
import { clockDigits, remaining, ringShare } from "./countdown";

test("a duration is split into its units", () => {
  const left = remaining(((3 * 24 + 4) * 3600 + 5 * 60 + 6) * 1000, 0);
  expect(left).toEqual({ days: 3, hours: 4, minutes: 5, seconds: 6 });
});

test("a started second counts, and nothing is left at the moment itself or after", () => {
  expect(remaining(1, 0).seconds).toBe(1);
  expect(remaining(0, 0)).toEqual({ days: 0, hours: 0, minutes: 0, seconds: 0 });
  expect(remaining(0, 99_999)).toEqual({ days: 0, hours: 0, minutes: 0, seconds: 0 });
});

test("the rings span 30 days, a day, an hour and a minute", () => {
  const left = { days: 15, hours: 12, minutes: 30, seconds: 30 };
  expect(ringShare("days", left)).toBe(0.5);
  expect(ringShare("hours", left)).toBe(0.5);
  expect(ringShare("minutes", left)).toBe(0.5);
  expect(ringShare("seconds", left)).toBe(0.5);
  expect(ringShare("days", { ...left, days: 90 })).toBe(1);
});

test("a clock has two digits for all but its first part", () => {
  expect(clockDigits({ hours: 3, minutes: 4, seconds: 5 })).toBe("3:04:05");
  expect(clockDigits({ hours: 23, minutes: 59, seconds: 59 })).toBe("23:59:59");
  expect(clockDigits({ hours: 0, minutes: 14, seconds: 5 })).toBe("14:05");
  expect(clockDigits({ hours: 0, minutes: 0, seconds: 0 })).toBe("0:00");
});
