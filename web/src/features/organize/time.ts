/** Dates and times with the year, in the zone of the device, in which organizers type them. */
import { useMessages } from "../../messages/language";

/** A formatter of epoch milliseconds. */
export function useTimeText(): (ms: number) => string {
  const { locale } = useMessages();
  const style = { dateStyle: "medium", timeStyle: "short" } as const;
  const format = new Intl.DateTimeFormat(locale, style);
  return (ms) => format.format(ms);
}
