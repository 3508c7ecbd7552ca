/** Dates and times with the year, in the zone that was chosen. */
import { useMessages } from "../../messages/language";
import { useZone } from "../../ui/zone/zone";

/** A formatter of epoch milliseconds. */
export function useTimeText(): (ms: number) => string {
  const { locale } = useMessages();
  const timeZone = useZone();
  const style = { dateStyle: "medium", timeStyle: "short" } as const;
  const format = new Intl.DateTimeFormat(locale, { ...style, timeZone });
  return (ms) => format.format(ms);
}
