/** Formatted times, in the interface language and the chosen zone. */
import { RIGHT_TO_LEFT, useMessages } from "../../messages/language";
import { useZone, type Zone } from "../zone/zone";

const TIME = { hour: "2-digit", minute: "2-digit" } as const;
const STYLES = {
  exact: { day: "2-digit", month: "short", ...TIME, second: "2-digit", timeZoneName: "short" },
  clock: { ...TIME, second: "2-digit" },
  dayAndTime: { day: "numeric", month: "short", ...TIME },
  time: TIME,
  day: { dateStyle: "short" },
} as const;

const formats = new Map<string, Intl.DateTimeFormat>();

/** The cached formatter for a style. */
function format(style: keyof typeof STYLES, locale: string, timeZone: Zone): Intl.DateTimeFormat {
  const key = `${style} ${locale} ${timeZone}`;
  const known = formats.get(key) ?? new Intl.DateTimeFormat(locale, { ...STYLES[style], timeZone });
  formats.set(key, known);
  return known;
}

/**
 * Isolates a date inside a sentence of a right-to-left language. Otherwise the
 * digits of two dates, or of a date and its zone, form one left-to-right run in the wrong order.
 */
function isolatedDate(date: string, locale: string): string {
  return RIGHT_TO_LEFT.has(locale.replace(/-.*/, "")) ? `\u2068${date}\u2069` : date;
}

/** Date and time of epoch seconds, with the zone's name. */
export function timeText(ts: number, locale: string, zone: Zone): string {
  return isolatedDate(format("exact", locale, zone).format(ts * 1000), locale);
}

/**
 * A formatter for times in a column: date, time and zone as in `timeText`, and only the time of day
 * while the day is that of the time before.
 */
export function columnTimes(locale: string, zone: Zone): (ts: number) => string {
  const day = format("day", locale, zone);
  const clock = format("clock", locale, zone);
  let before: string | undefined;
  return (ts) => {
    const isSameDay = day.format(ts * 1000) === before;
    before = day.format(ts * 1000);
    return isSameDay ? clock.format(ts * 1000) : timeText(ts, locale, zone);
  };
}

/** A time of day, "14:03", with the date if it is not today in the zone. */
export function hours(atMs: number, locale: string, zone: Zone, nowMs = Date.now()): string {
  const day = format("day", locale, zone);
  const isToday = day.format(atMs) === day.format(nowMs);
  return isolatedDate(format(isToday ? "time" : "dayAndTime", locale, zone).format(atMs), locale);
}

/** `hours` with the viewer's language and zone. */
export function useHours(): (atMs: number) => string {
  const { locale } = useMessages();
  const zone = useZone();
  return (atMs) => hours(atMs, locale, zone);
}
