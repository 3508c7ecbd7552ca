/** Times in the interface language and the chosen zone. */
import { useMessages } from "../../messages/language";
import { utcTime } from "../solve-mark/solve-mark";
import { timeText } from "../times/times";
import { useZone, type Zone } from "../zone/zone";

const MINUTES_10_S = 600;
const DAY_S = 86_400;

/**
 * A formatter for the times of a graph: with seconds in a short span, with the day in a long one.
 */
export function clockLabels(spanS: number, locale: string, timeZone: Zone): (ts: number) => string {
  const format = new Intl.DateTimeFormat(locale, {
    ...(spanS > DAY_S && ({ day: "numeric", month: "short" } as const)),
    hour: "2-digit",
    minute: "2-digit",
    ...(spanS < MINUTES_10_S && ({ second: "2-digit" } as const)),
    timeZone,
  });
  return (ts) => format.format(ts * 1000);
}

/** A time in epoch seconds. The tooltip shows UTC, like the marks on the scoreboard. */
export function Moment({ ts }: { ts: number }) {
  const { locale } = useMessages();
  const zone = useZone();
  return (
    <time dateTime={new Date(ts * 1000).toISOString()} title={utcTime(ts)}>
      {timeText(ts, locale, zone)}
    </time>
  );
}
