/**
 * Clock times of a time zone, as a `datetime-local` field has them ("2026-12-04T18:00", or with
 * seconds "2026-12-04T18:00:20"), and the moments that they name. The zone of the device plays no
 * part. Pure.
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
  try {
    formatOf(zone);
    return zone.trim() !== "";
  } catch {
    return false;
  }
}

/** Epoch milliseconds of a date and time in UTC; `Date.UTC` takes years below 100 for 19xx. */
function utc(year: number, month: number, day: number, ...time: readonly number[]): number {
  const [hour = 0, minute = 0, second = 0] = time;
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return date.setUTCHours(hour, minute, second);
}

/** Difference between the zone's clock and UTC at a moment, in milliseconds. */
function offsetAt(ms: number, zone: string): number {
  const parts: Record<string, string> = {};
  for (const { type, value } of formatOf(zone).formatToParts(ms)) parts[type] = value;
  const number = (name: string) => Number(parts[name]);
  const year = parts.era === "BC" ? 1 - number("year") : number("year");
  const time = [number("hour"), number("minute"), number("second")];
  return utc(year, number("month"), number("day"), ...time) - Math.floor(ms / 1000) * 1000;
}

/** The clock time of a moment in a zone, to the minute, or to the second unless that is zero. */
export function clockTime(ms: number, zone: string, toSecond = false): string {
  const text = new Date(ms + offsetAt(ms, zone)).toISOString();
  // As browsers write it.
  return text.slice(0, toSecond && !text.startsWith("00", 17) ? 19 : 16);
}

const CLOCK_TIME = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d)(?::([0-5]\d))?/;
const DAY_MS = 24 * 3_600_000;

/**
 * The moment of a clock time in a zone; null if the text is not a clock time. The first of two, if
 * clocks are set back over it. If clocks skip it, as long after the change as it names.
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
  // Offsets change once around a change of clocks: one of both holds, or the time is skipped.
  return isAt(before) || !isAt(after) ? before : after;
}
