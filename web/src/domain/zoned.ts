/**
 * Conversion between times and clock times of a time zone, in the format of `datetime-local` fields
 * ("2026-12-04T18:00", or with seconds "2026-12-04T18:00:20"). Independent of the device's zone.
 * Pure.
 */

const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const format =
    formats.get(timeZone) ??
    new Intl.DateTimeFormat("en-US", {
      ...{ timeZone, calendar: "gregory", numberingSystem: "latn", hourCycle: "h23" },
      ...{ year: "numeric", month: "numeric", day: "numeric", era: "short" },
      ...{ hour: "numeric", minute: "numeric", second: "numeric" },
    });
  formats.set(timeZone, format);
  return format;
}

/** True if the browser knows a zone of this IANA name. */
export function isZone(zone: string): boolean {
  if (zone === "UTC") return true;
  try {
    formatOf(zone);
    return zone.trim() !== "";
  } catch {
    return false;
  }
}

/** Epoch milliseconds of a date and time in UTC. `Date.UTC` would add 1900 to years below 100. */
function utc(year: number, month: number, day: number, ...time: readonly number[]): number {
  const [hour = 0, minute = 0, second = 0] = time;
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return date.setUTCHours(hour, minute, second);
}

/** The zone's offset from UTC at a given time, in milliseconds. */
function offsetAt(ms: number, zone: string): number {
  // The browser's first format takes 20 ms.
  if (zone === "UTC") return 0;
  const parts: Record<string, string> = {};
  for (const { type, value } of formatOf(zone).formatToParts(ms)) parts[type] = value;
  const number = (name: string) => Number(parts[name]);
  const year = parts.era === "BC" ? 1 - number("year") : number("year");
  const time = [number("hour"), number("minute"), number("second")];
  return utc(year, number("month"), number("day"), ...time) - Math.floor(ms / 1000) * 1000;
}

/** The clock time in a zone: to the minute, or to the second unless the seconds are zero. */
export function clockTime(ms: number, zone: string, toSecond = false): string {
  const text = new Date(ms + offsetAt(ms, zone)).toISOString();
  // The format that browsers write.
  return text.slice(0, toSecond && !text.startsWith("00", 17) ? 19 : 16);
}

const CLOCK_TIME = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d)(?::([0-5]\d))?/;
const DAY_MS = 24 * 3_600_000;

/**
 * The epoch time of a clock time in a zone; null if the text is not a clock time. When clocks are
 * set back, the first of two equal clock times counts. A skipped time maps to the same duration
 * after the change.
 */
export function momentOf(text: string, zone: string): number | null {
  const parts = (CLOCK_TIME.exec(text) ?? []).slice(1).map((part) => Number(part ?? 0));
  const [year, month, day, hour = 0, minute = 0, second = 0] = parts;
  if (year === undefined || month === undefined || day === undefined) return null;
  const asUtc = utc(year, month, day, hour, minute, second);
  if (new Date(asUtc).toISOString().slice(0, 16) !== text.slice(0, 16)) return null;
  const before = asUtc - offsetAt(asUtc - DAY_MS, zone);
  const after = asUtc - offsetAt(asUtc + DAY_MS, zone);
  const isAt = (ms: number) => offsetAt(ms, zone) === asUtc - ms;
  // Around a clock change, there are two offsets. One of them fits, or the time is skipped.
  return isAt(before) || !isAt(after) ? before : after;
}
