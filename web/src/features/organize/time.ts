/** Dates and times with the year, in the local time zone. */
import { useMessages } from "../../messages/language";

/** A formatter of epoch milliseconds. */
export function useTimeText(): (ms: number) => string {
  const { locale } = useMessages();
  const format = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "short" });
  return (ms) => format.format(ms);
}
