/** A time in the language's way: of today with seconds, of another day with its date. */
import { useMessages } from "../../../messages/language";

const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(locale: string, isToday: boolean): Intl.DateTimeFormat {
  const key = `${locale} ${isToday}`;
  const time = { hour: "2-digit", minute: "2-digit" } as const;
  const format =
    formats.get(key) ??
    new Intl.DateTimeFormat(
      locale,
      isToday ? { ...time, second: "2-digit" } : { ...time, day: "2-digit", month: "short" },
    );
  formats.set(key, format);
  return format;
}

export function useMomentText(): (ms: number) => string {
  const { locale } = useMessages();
  const today = new Date().toDateString();
  return (ms) => formatOf(locale, new Date(ms).toDateString() === today).format(ms);
}

/** Nothing but a dash without a time. */
export function Moment({ ms }: { ms: number | null | undefined }) {
  const text = useMomentText();
  if (ms === null || ms === undefined) return <>–</>;
  return <time dateTime={new Date(ms).toISOString()}>{text(ms)}</time>;
}
