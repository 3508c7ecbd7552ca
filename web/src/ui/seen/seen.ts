/** The keys of the news that was seen with this browser. Every tab of the site knows them. */
import { useSyncExternalStore } from "react";
import { followStored, readStored, writeStored } from "../preference/preference";

const STORAGE_KEY = "seen news";
/** Older ones are forgotten: they count as unread again if they still exist. */
const KEYS_MAX = 1000;

let latest = { text: "", keys: new Set<string>() };

function parseKeys(text: string): Set<string> {
  try {
    const value: unknown = JSON.parse(text);
    if (Array.isArray(value)) return new Set(value.filter((key) => typeof key === "string"));
  } catch {
    // nothing is kept yet, or another program wrote it
  }
  return new Set();
}

/** The same set as long as the stored text is the same. */
function seenKeys(): ReadonlySet<string> {
  const text = readStored(STORAGE_KEY) ?? "";
  if (text !== latest.text) latest = { text, keys: parseKeys(text) };
  return latest.keys;
}

/** Adds keys; those that are known change nothing. */
export function see(keys: readonly string[]): void {
  const known = seenKeys();
  const fresh = keys.filter((key) => !known.has(key));
  if (fresh.length === 0) return;
  writeStored(STORAGE_KEY, JSON.stringify([...known, ...fresh].slice(-KEYS_MAX)));
}

/** The keys of what was seen, in this tab or another. */
export function useSeen(): ReadonlySet<string> {
  return useSyncExternalStore(followStored, seenKeys);
}
