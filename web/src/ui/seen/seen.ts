/** Keys of the news read in this browser, shared by all tabs of the site. */
import { useSyncExternalStore } from "react";
import { followStored, readStored, writeStored } from "../preference/preference";

const STORAGE_KEY = "seen news";
/** Maximum number of keys. Older ones are dropped and count as unread if they still exist. */
const KEYS_MAX = 1000;

let latest = { text: "", keys: new Set<string>() };

function parseKeys(text: string): Set<string> {
  try {
    const value: unknown = JSON.parse(text);
    if (Array.isArray(value)) return new Set(value.filter((key) => typeof key === "string"));
  } catch {
    // missing or invalid
  }
  return new Set();
}

/** Cached set for the stored text, for a stable identity. */
function seenKeys(): ReadonlySet<string> {
  const text = readStored(STORAGE_KEY) ?? "";
  if (text !== latest.text) latest = { text, keys: parseKeys(text) };
  return latest.keys;
}

/** Adds keys; known keys are ignored. */
export function see(keys: readonly string[]): void {
  const known = seenKeys();
  const fresh = keys.filter((key) => !known.has(key));
  if (fresh.length === 0) return;
  writeStored(STORAGE_KEY, JSON.stringify([...known, ...fresh].slice(-KEYS_MAX)));
}

/** The keys of read news, from all tabs. */
export function useSeen(): ReadonlySet<string> {
  return useSyncExternalStore(followStored, seenKeys);
}
