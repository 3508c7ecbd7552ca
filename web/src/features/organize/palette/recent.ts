/**
 * Items of the palette that were used last in this tab. They are not kept longer, because the
 * device may be shared, and they can name teams.
 */
import { go } from "../../../navigate";
import type { Item } from "./items";

const KEY = "palette";
const RECENT_MAX = 5;

type Kept = Omit<Item, "run">;

function readKept(): readonly Kept[] {
  try {
    return JSON.parse(sessionStorage.getItem(KEY) ?? "[]");
  } catch {
    return [];
  }
}

/** Remembers a used item: an address with its text, else only the key of the action. */
export function remember({ run: _, ...item }: Item): void {
  const others = readKept().filter(({ key }) => key !== item.key);
  try {
    sessionStorage.setItem(KEY, JSON.stringify([item, ...others].slice(0, RECENT_MAX)));
  } catch {
    // Storage is unavailable: nothing is remembered.
  }
}

/** The last used items, newest first: as offered now, or else by their address. */
export function recentOf(offered: readonly Item[]): readonly Item[] {
  return readKept().flatMap((kept) => {
    const found = offered.find(({ key }) => key === kept.key);
    if (found) return [found];
    const { address } = kept;
    return address && kept.page === "teams" ? [{ ...kept, run: () => go(address) }] : [];
  });
}
