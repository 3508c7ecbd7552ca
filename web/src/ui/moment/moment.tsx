/** Formats epoch seconds: in UTC, as the scoreboard does, and in the local time zone. */
import { useMessages } from "../../messages/language";
import { utcTime } from "../solve-mark/solve-mark";

const formats = new Map<string, Intl.DateTimeFormat>();

/** Local date and time with the zone's name. */
export function localTime(ts: number, locale: string): string {
  const day = { day: "2-digit", month: "short" } as const;
  const time = { hour: "2-digit", minute: "2-digit", second: "2-digit" } as const;
  const format =
    formats.get(locale) ??
    new Intl.DateTimeFormat(locale, { ...day, ...time, timeZoneName: "short" });
  formats.set(locale, format);
  return format.format(ts * 1000);
}

const MINUTES_10_S = 600;
const DAY_S = 86_400;

/**
 * A formatter for the times of a span: with seconds in a short span, with the day in a long one.
 */
export function clockLabels(spanS: number, locale: string): (ts: number) => string {
  const format = new Intl.DateTimeFormat(locale, {
    ...(spanS > DAY_S && ({ day: "numeric", month: "short" } as const)),
    hour: "2-digit",
    minute: "2-digit",
    ...(spanS < MINUTES_10_S && ({ second: "2-digit" } as const)),
  });
  return (ts) => format.format(ts * 1000);
}

export function UtcMoment({ ts }: { ts: number }) {
  return <time dateTime={new Date(ts * 1000).toISOString()}>{utcTime(ts)}</time>;
}

export function LocalMoment({ ts }: { ts: number }) {
  const { locale } = useMessages();
  return <time dateTime={new Date(ts * 1000).toISOString()}>{localTime(ts, locale)}</time>;
}
