/** Times are formatted in a zone, with the day unless it is today. */
import { expect, test } from "vitest";
import { columnTimes, hours, timeText } from "./times";

const NOON = Date.UTC(2026, 10, 25, 12, 5);
const HOUR_MS = 3_600_000;

test("only the time for today, else with the day", () => {
  expect(hours(NOON, "en-GB", "UTC", NOON + HOUR_MS)).toBe("12:05");
  expect(hours(NOON, "en-GB", "UTC", NOON + 24 * HOUR_MS)).toBe("25 Nov, 12:05");
});

test("the zone decides which day is today", () => {
  const late = NOON + 11 * HOUR_MS;
  expect(hours(late, "en-GB", "UTC", late + HOUR_MS)).toBe("25 Nov, 23:05");
  expect(hours(late, "en-GB", "Europe/Rome", late + HOUR_MS)).toBe("00:05");
  expect(hours(NOON, "en-GB", "Europe/Rome", late)).toBe("25 Nov, 13:05");
});

test("times are in the given zone, and name it", () => {
  const ts = Date.UTC(2023, 10, 25, 12, 0, 5) / 1000;
  expect(timeText(ts, "en-GB", "Europe/Rome")).toBe("25 Nov, 13:00:05 CET");
  expect(timeText(ts, "en-GB", "UTC")).toBe("25 Nov, 12:00:05 UTC");
});

test("a column of times has the day only where it changes", () => {
  const ts = Date.UTC(2023, 10, 25, 22, 59, 5) / 1000;
  const time = columnTimes("en-GB", "Europe/Rome");
  expect([ts, ts + 50, ts + 60, ts + 61].map(time)).toEqual([
    "25 Nov, 23:59:05 CET",
    "23:59:55",
    "26 Nov, 00:00:05 CET",
    "00:00:06",
  ]);
});

test("in a right-to-left language a date is isolated from the digits around it", () => {
  const later = hours(NOON, "ar", "UTC", NOON + 24 * HOUR_MS);
  expect(later).toMatch(/^\u2068.*\u2069$/);
  expect(timeText(NOON / 1000, "ar", "UTC")).toMatch(/^\u2068.*\u2069$/);
  expect(hours(NOON, "ja", "UTC", NOON)).toBe("12:05");
});
