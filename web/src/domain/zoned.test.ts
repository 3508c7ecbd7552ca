/** Clock times in zones: around DST changes, at odd offsets, on devices in any zone. */
import { expect, test } from "vitest";
import { clockTime, isZone, momentOf } from "./zoned";

test.each([
  ["2026-12-04T18:00", "Europe/Berlin", "2026-12-04T17:00:00.000Z"],
  ["2026-12-04T18:00", "America/New_York", "2026-12-04T23:00:00.000Z"],
  ["2026-12-04T18:00", "UTC", "2026-12-04T18:00:00.000Z"],
  ["2026-07-04T18:00", "Europe/Berlin", "2026-07-04T16:00:00.000Z"],
  ["2026-07-04T18:00", "Asia/Kathmandu", "2026-07-04T12:15:00.000Z"],
  ["2026-07-04T18:00", "Pacific/Kiritimati", "2026-07-04T04:00:00.000Z"],
  ["2026-07-04T00:30", "America/St_Johns", "2026-07-04T03:00:00.000Z"],
  ["2027-01-01T00:00", "Asia/Tokyo", "2026-12-31T15:00:00.000Z"],
  // Clocks are set back from 3:00 to 2:00: the first 2:30.
  ["2026-10-25T02:30", "Europe/Berlin", "2026-10-25T00:30:00.000Z"],
  ["2026-10-25T03:00", "Europe/Berlin", "2026-10-25T02:00:00.000Z"],
  ["2026-11-01T01:30", "America/New_York", "2026-11-01T05:30:00.000Z"],
  // The clocks are set back by half an hour.
  ["2026-04-05T01:45", "Australia/Lord_Howe", "2026-04-04T14:45:00.000Z"],
])("%s in %s is %s", (text, zone, expected) => {
  const ms = momentOf(text, zone) ?? Number.NaN;
  expect(new Date(ms).toISOString()).toBe(expected);
  expect(clockTime(ms, zone)).toBe(text);
});

test("a skipped time maps to the same duration after the change", () => {
  const ms = momentOf("2026-03-29T02:30", "Europe/Berlin") ?? Number.NaN;
  expect(new Date(ms).toISOString()).toBe("2026-03-29T01:30:00.000Z");
  expect(clockTime(ms, "Europe/Berlin")).toBe("2026-03-29T03:30");
  // Samoa skipped a day.
  expect(momentOf("2011-12-30T12:00", "Pacific/Apia")).not.toBeNull();
});

const ZONES = [
  "UTC",
  "Europe/Rome",
  "America/New_York",
  "Australia/Lord_Howe",
  "Africa/Casablanca",
];

test.each(ZONES)("each minute in %s round-trips", (zone) => {
  const isRepeated = (ms: number, text: string) => (momentOf(text, zone) ?? ms) < ms;
  for (let ms = Date.UTC(2026, 0, 1); ms < Date.UTC(2027, 0, 1); ms += 397 * 60_000) {
    const text = clockTime(ms, zone);
    if (!isRepeated(ms, text)) expect(momentOf(text, zone), text).toBe(ms);
  }
});

test("seconds are parsed, and written on request", () => {
  const ms = momentOf("2026-12-04T12:03:20", "Europe/Rome") ?? Number.NaN;
  expect(new Date(ms).toISOString()).toBe("2026-12-04T11:03:20.000Z");
  expect(clockTime(ms, "Europe/Rome", true)).toBe("2026-12-04T12:03:20");
  expect(clockTime(ms, "Europe/Rome")).toBe("2026-12-04T12:03");
  expect(clockTime(ms - 20_000, "Europe/Rome", true)).toBe("2026-12-04T12:03");
  expect(momentOf("2026-12-04T12:03:20.5", "Europe/Rome")).toBe(ms);
});

test.each(["", "18:00", "2026-12-04", "2026-13-04T18:00", "2026-02-30T18:00", "soon"])(
  "%j is not a clock time",
  (text) => expect(momentOf(text, "UTC")).toBeNull(),
);

test("an incomplete year round-trips", () => {
  for (const text of ["0002-01-01T18:00", "0020-12-04T18:00", "0202-12-04T18:00"]) {
    for (const zone of ZONES) {
      expect(clockTime(momentOf(text, zone) ?? Number.NaN, zone), zone).toBe(text);
    }
  }
});

test("zones unknown to the browser are detected", () => {
  expect(["Europe/Berlin", "Berlin", "", "Mars/Base"].map(isZone)).toEqual([
    ...[true, false, false, false],
  ]);
});

test.each(["America/New_York", "Asia/Tokyo"])("a device in %s reads the same moments", (device) => {
  const before = process.env.TZ;
  try {
    process.env.TZ = device;
    const text = "2026-12-04T18:00";
    expect(Date.parse(text), "the device is elsewhere").not.toBe(Date.UTC(2026, 11, 4, 17));
    expect(new Date(text).getTimezoneOffset(), "the device is elsewhere").not.toBe(0);
    expect(momentOf(text, "Europe/Berlin")).toBe(Date.UTC(2026, 11, 4, 17));
    expect(clockTime(Date.UTC(2026, 11, 4, 17), "Europe/Berlin")).toBe(text);
  } finally {
    process.env.TZ = before;
  }
});
