/** Filters of a list: their query parameters, and their values as text. */
import { useOrganizeMessages, wordFor } from "../../../messages/organize/words";
import { useMomentText } from "../frame/moment";
import { changeView, useView } from "../frame/view";

type Words = Readonly<Record<string, string>>;

/** A filter with a fixed set of values, a text, or a period. */
export interface Filter {
  /** Query parameter. A period is named after its length: `since`, and has `from` and `until`. */
  readonly name: string;
  readonly label: string;
  readonly kind?: "choice" | "text" | "period";
  /** Values of a choice with their texts. A comma joins several. */
  readonly words?: Words;
}

export interface Order {
  readonly label: string;
  /** Orders with their texts; the first is the default. */
  readonly words: Words;
}

export interface Search {
  readonly name: string;
  readonly label: string;
}

/** Parameters of a period: its length until now, its start and its end. */
export const PERIOD = ["since", "from", "until"] as const;

/** Query parameters of a filter. */
export function parametersOf({ kind, name }: Filter): readonly string[] {
  return kind === "period" ? PERIOD : [name];
}

const none = (names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, undefined]));

export const clearFilter = (filter: Filter) =>
  changeView(none(parametersOf(filter)), { replace: true });

/** Value of a length such as `10m`; null if it is none. */
export function lengthOf(since: string): { count: number; unit: "m" | "h" | "d" } | null {
  const [, count, unit] = /^(\d+)([mhd])$/.exec(since) ?? [];
  if (unit !== "m" && unit !== "h" && unit !== "d") return null;
  return { count: Number(count), unit };
}

/** Returns the text of a filter's value; empty if the filter is not set. */
export function useValueText(): (filter: Filter) => string {
  const { filters: words } = useOrganizeMessages();
  const view = useView();
  const timeText = useMomentText();
  const time = (name: string) => {
    const ms = Date.parse(view(name));
    return Number.isNaN(ms) ? "" : timeText(ms);
  };
  return (filter) => {
    if (filter.kind === "period") {
      const length = lengthOf(view("since"));
      if (length) return words.last(length.count, length.unit);
      const [from, until] = [time("from"), time("until")];
      if (from && until) return words.between(from, until);
      return from ? words.from(from) : until && words.until(until);
    }
    const value = view(filter.name);
    const text = (one: string) => wordFor(filter.words ?? {}, one);
    return filter.words ? value.split(",").map(text).join(words.or) : value;
  };
}
