/** Distances in time as short text, such as "2h 10m". */
import { useMessages } from "../../../../messages/language";
import { useOrganizeMessages } from "../../../../messages/organize/words";
import { MINUTE_MS } from "../line";

const MINUTES = { day: 24 * 60, hour: 60, minute: 1 } as const;
const UNITS = ["day", "hour", "minute"] as const;

/** Splits a distance into its two largest units, rounded down to minutes. */
export function partsOf(ms: number): readonly (readonly [(typeof UNITS)[number], number])[] {
  let left = Math.floor(Math.abs(ms) / MINUTE_MS);
  const parts = UNITS.map((unit) => {
    const count = Math.floor(left / MINUTES[unit]);
    left -= count * MINUTES[unit];
    return [unit, count] as const;
  });
  const first = parts.findIndex(([, count]) => count > 0);
  if (first === -1) return [["minute", 0]];
  return parts.slice(first, first + 2).filter(([, count]) => count > 0);
}

/** Formatter of a time relative to now: "in 2h 10m", "5m ago", "now". */
export function useRelative(now: number): (ms: number) => string {
  const { locale } = useMessages();
  const { times: words } = useOrganizeMessages().manage;
  return (ms) => {
    const parts = partsOf(ms - now);
    if (parts[0]?.[1] === 0) return words.now;
    const text = parts.map(([unit, count]) =>
      new Intl.NumberFormat(locale, { style: "unit", unit, unitDisplay: "narrow" }).format(count),
    );
    return ms > now ? words.ahead(text.join(" ")) : words.ago(text.join(" "));
  };
}
