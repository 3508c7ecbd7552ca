/**
 * A localized time in the event's time zone: with seconds for today, with the date for other days.
 */
import { useSyncExternalStore } from "react";
import { clockTime } from "../../../domain/zoned";
import { useMessages } from "../../../messages/language";
import { useEventZone } from "../time-field";

const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(locale: string, timeZone: string): Intl.DateTimeFormat {
  const key = `${locale} ${timeZone}`;
  const format =
    formats.get(key) ??
    new Intl.DateTimeFormat(locale, {
      day: "2-digit",
      month: "short",
      hour: "2-digit",
      minute: "2-digit",
      timeZone,
    });
  formats.set(key, format);
  return format;
}

const MINUTE_MS = 60_000;
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

/** Checks the date every minute, with one timer for all times on the page. */
function onMinute(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(() => {
    for (const tell of listeners) tell();
  }, MINUTE_MS);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

let latest = { key: "", day: "" };

/** Date in a zone, computed once a minute for all times on the page. */
function today(zone: string): string {
  const now = Date.now();
  const key = `${zone} ${Math.floor(now / MINUTE_MS)}`;
  if (latest.key !== key) latest = { key, day: clockTime(now, zone).slice(0, 10) };
  return latest.day;
}

/** Formatter for times; those of today have the clock time only, to the given length. */
function useTextOf(length: "HH:MM:SS" | "HH:MM"): (ms: number) => string {
  const { locale } = useMessages();
  const zone = useEventZone();
  const day = useSyncExternalStore(onMinute, () => today(zone));
  return (ms) => {
    const [date = "", time = ""] = clockTime(ms, zone, true).split("T");
    if (date !== day) return formatOf(locale, zone).format(ms);
    // A clock time has no seconds if they are zero.
    return `${time}:00`.slice(0, length.length);
  };
}

export function useMomentText(): (ms: number) => string {
  return useTextOf("HH:MM:SS");
}

/** Formats a time to the minute, for places where seconds are too much. */
export function useShortMomentText(): (ms: number) => string {
  return useTextOf("HH:MM");
}

/** Renders a time, or a dash if there is none. */
export function Moment({ ms }: { ms: number | null | undefined }) {
  const text = useMomentText();
  if (ms === null || ms === undefined) return <>–</>;
  return <time dateTime={new Date(ms).toISOString()}>{text(ms)}</time>;
}
