/** Every time is in a zone; the day is said where it is another one there. */
import { expect, test } from "vitest";
import { hours, timeText } from "./times";

const NOON = Date.UTC(2026, 10, 25, 12, 5);
const HOUR_MS = 3_600_000;

test("today the time alone, else the day before it", () => {
  expect(hours(NOON, "en-GB", "UTC", NOON + HOUR_MS)).toBe("12:05");
  expect(hours(NOON, "en-GB", "UTC", NOON + 24 * HOUR_MS)).toBe("25 Nov, 12:05");
});

test("the zone decides which day is today", () => {
  const late = NOON + 11 * HOUR_MS;
  expect(hours(late, "en-GB", "UTC", late + HOUR_MS)).toBe("25 Nov, 23:05");
  expect(hours(late, "en-GB", "Europe/Rome", late + HOUR_MS)).toBe("00:05");
  expect(hours(NOON, "en-GB", "Europe/Rome", late)).toBe("25 Nov, 13:05");
});

test("times are in the zone that is asked for, and name it", () => {
  const ts = Date.UTC(2023, 10, 25, 12, 0, 5) / 1000;
  expect(timeText(ts, "en-GB", "Europe/Rome")).toBe("25 Nov, 13:00:05 CET");
  expect(timeText(ts, "en-GB", "UTC")).toBe("25 Nov, 12:00:05 UTC");
});
