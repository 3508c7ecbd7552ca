/** A time in the language's way: of today with seconds, of another day with its date. */
import { useSyncExternalStore } from "react";
import { useMessages } from "../../../messages/language";
import { two } from "./clock";

const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(locale: string): Intl.DateTimeFormat {
  const format =
    formats.get(locale) ??
    new Intl.DateTimeFormat(locale, {
      day: "2-digit",
      month: "short",
      hour: "2-digit",
      minute: "2-digit",
    });
  formats.set(locale, format);
  return format;
}

/** The time of the day without `Intl`, whose first use costs as much as drawing a table. */
function clockText(time: Date): string {
  return [time.getHours(), time.getMinutes(), time.getSeconds()].map(two).join(":");
}

const MINUTE_MS = 60_000;
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

/** Looks at the calendar each minute, once for all times on the page. */
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

const today = () => new Date().toDateString();

export function useMomentText(): (ms: number) => string {
  const { locale } = useMessages();
  const day = useSyncExternalStore(onMinute, today);
  return (ms) => {
    const time = new Date(ms);
    return time.toDateString() === day ? clockText(time) : formatOf(locale).format(time);
  };
}

/** Nothing but a dash without a time. */
export function Moment({ ms }: { ms: number | null | undefined }) {
  const text = useMomentText();
  if (ms === null || ms === undefined) return <>–</>;
  return <time dateTime={new Date(ms).toISOString()}>{text(ms)}</time>;
}
