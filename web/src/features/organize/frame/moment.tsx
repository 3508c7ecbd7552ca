/** A time in the language's way: of today with seconds, of another day with its date. */
import { useMessages } from "../../../messages/language";

const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(locale: string): Intl.DateTimeFormat {
  const format =
    formats.get(locale) ??
    new Intl.DateTimeFormat(locale, {
      ...{ hour: "2-digit", minute: "2-digit" },
      ...{ day: "2-digit", month: "short" },
    });
  formats.set(locale, format);
  return format;
}

/** The time of the day without `Intl`, whose first use costs as much as drawing a table. */
function clockText(time: Date): string {
  const parts = [time.getHours(), time.getMinutes(), time.getSeconds()];
  return parts.map((part) => part.toString().padStart(2, "0")).join(":");
}

export function useMomentText(): (ms: number) => string {
  const { locale } = useMessages();
  const today = new Date().toDateString();
  return (ms) => {
    const time = new Date(ms);
    return time.toDateString() === today ? clockText(time) : formatOf(locale).format(time);
  };
}

/** Nothing but a dash without a time. */
export function Moment({ ms }: { ms: number | null | undefined }) {
  const text = useMomentText();
  if (ms === null || ms === undefined) return <>–</>;
  return <time dateTime={new Date(ms).toISOString()}>{text(ms)}</time>;
}
