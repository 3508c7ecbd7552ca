/** Times as text, in the language of the interface and in the zone that was chosen. */
import { useMessages } from "../../messages/language";
import { useZone, type Zone } from "../zone/zone";

const TIME = { hour: "2-digit", minute: "2-digit" } as const;
const STYLES = {
  exact: { day: "2-digit", month: "short", ...TIME, second: "2-digit", timeZoneName: "short" },
  dayAndTime: { day: "numeric", month: "short", ...TIME },
  time: TIME,
  day: { dateStyle: "short" },
} as const;

const formats = new Map<string, Intl.DateTimeFormat>();

/** The format of a style; each is made once. */
function format(style: keyof typeof STYLES, locale: string, timeZone: Zone): Intl.DateTimeFormat {
  const key = `${style} ${locale} ${timeZone}`;
  const known = formats.get(key) ?? new Intl.DateTimeFormat(locale, { ...STYLES[style], timeZone });
  formats.set(key, known);
  return known;
}

/** Date and time of epoch seconds, with the zone's name. */
export function timeText(ts: number, locale: string, zone: Zone): string {
  return format("exact", locale, zone).format(ts * 1000);
}

/** A time of the day, "14:03", with the day when that is another one in the zone. */
export function hours(atMs: number, locale: string, zone: Zone, nowMs = Date.now()): string {
  const day = format("day", locale, zone);
  const isToday = day.format(atMs) === day.format(nowMs);
  return format(isToday ? "time" : "dayAndTime", locale, zone).format(atMs);
}

/** `hours` for who looks. */
export function useHours(): (atMs: number) => string {
  const { locale } = useMessages();
  const zone = useZone();
  return (atMs) => hours(atMs, locale, zone);
}
