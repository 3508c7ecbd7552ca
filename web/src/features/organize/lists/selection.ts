/**
 * The selected rows of a list, by name. They are kept in the URL, so that a reload keeps them and a
 * prepared release can be shared; many names are kept in the session storage, and the URL refers to
 * them.
 */
import { useEffect, useMemo, useRef } from "react";
import { currentAddress, parseAddress } from "../../../navigate";
import { useShortcut } from "../frame/keys";
import { changeView, useView } from "../frame/view";

/** Maximum number of objects per action. */
export const CHOSEN_MAX = 250;

const PARAMETER = "chosen";
/** Maximum length in the URL. */
const LETTERS_MAX = 600;
/** Marks a selection that is in the session storage; its number changes with each selection. */
const STORED = "*";
/** Names that would be read as something else. */
const AMBIGUOUS = /^[[*]|,/;

const storageKey = () => `organize chosen ${parseAddress(currentAddress()).path}`;

function stored(): readonly string[] {
  try {
    const names: unknown = JSON.parse(sessionStorage.getItem(storageKey()) ?? "[]");
    return Array.isArray(names) ? names.filter((name) => typeof name === "string") : [];
  } catch {
    return [];
  }
}

/** Names in the value of the parameter. */
export function chosenIn(value: string): readonly string[] {
  if (value === "") return [];
  if (value.startsWith(STORED)) return stored();
  if (!value.startsWith("[")) return value.split(",");
  try {
    return JSON.parse(value).map(String);
  } catch {
    return [];
  }
}

/** Value of the parameter for these names; `previous` is the current value. */
export function chosenText(names: readonly string[], previous: string): string {
  const text = names.some((name) => AMBIGUOUS.test(name)) ? JSON.stringify(names) : names.join(",");
  if (text.length <= LETTERS_MAX) return text;
  try {
    sessionStorage.setItem(storageKey(), JSON.stringify(names));
  } catch {
    // Without storage, the URL is long.
    return text;
  }
  return STORED + (Number(previous.slice(1)) + 1 || 1);
}

/** Names from `from` to `to` in the order of the rows; only `to` if `from` is not a row. */
export function rangeOf(order: readonly string[], from: string | undefined, to: string) {
  const first = from === undefined ? -1 : order.indexOf(from);
  const last = order.indexOf(to);
  if (first === -1 || last === -1) return [to];
  return order.slice(Math.min(first, last), Math.max(first, last) + 1);
}

export interface Selection {
  readonly names: readonly string[];
  has(name: string): boolean;
  /** Selects or deselects a row; with `isRange`, all rows since the last one. */
  toggle(name: string, isRange?: boolean): void;
  /** Selects exactly these rows. */
  choose(names: readonly string[]): void;
  clear(): void;
}

/**
 * The selection of a list whose rows have these names, in order. Rows that the list does not show,
 * because of a filter or since a reload, stay selected.
 */
export function useSelection(order: readonly string[]): Selection {
  const value = useView()(PARAMETER);
  const names = useMemo(() => chosenIn(value), [value]);
  const latest = useRef({ order, names, value });
  const last = useRef<string>(undefined);
  useEffect(() => {
    latest.current = { order, names, value };
  });
  return useMemo(() => {
    const known = new Set(names);
    function choose(next: readonly string[]) {
      const wanted = next.slice(0, CHOSEN_MAX);
      const chosen = chosenText(wanted, latest.current.value);
      changeView({ [PARAMETER]: chosen }, { replace: true });
    }
    return {
      names,
      has: (name) => known.has(name),
      toggle(name, isRange = false) {
        const { order, names } = latest.current;
        const rows = isRange ? rangeOf(order, last.current ?? names.at(-1), name) : [name];
        last.current = name;
        const isOn = isRange || !names.includes(name);
        const others = names.filter((one) => !rows.includes(one));
        choose(isOn ? [...others, ...rows] : others);
      },
      choose,
      clear: () => choose([]),
    };
  }, [names]);
}

/** Name of the row that has the focus. */
function focusedName(): string | undefined {
  const row = document.activeElement?.closest("tr, [data-row]");
  const named = row?.matches("[data-id]") ? row : row?.querySelector("[data-id]");
  return named instanceof HTMLElement ? named.dataset.id : undefined;
}

/** `x` selects the focused row, and Shift with `x` all rows up to it. Esc clears the selection. */
export function useSelectionKeys(
  selection: Selection | undefined,
  words: { choose: string; range: string; clear: string },
): void {
  const toggle = (isRange: boolean) => () => {
    const name = focusedName();
    if (name !== undefined) selection?.toggle(name, isRange);
  };
  useShortcut("x", words.choose, selection && toggle(false));
  useShortcut("X", words.range, selection && toggle(true));
  const isEmpty = !selection || selection.names.length === 0;
  useShortcut("Escape", words.clear, isEmpty ? undefined : selection.clear);
}
