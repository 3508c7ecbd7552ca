/** Which news this browser has shown, in its storage: every tab of the site knows them. */
import { useSyncExternalStore } from "react";

const STORAGE_KEY = "seen news";
/** Older ones are forgotten: they count as unread again if they still exist. */
const KEYS_MAX = 1000;

/** The keys where storage is forbidden or full: they last until the page is closed. */
let unstored: string | null = null;
let latest = { text: "", keys: new Set<string>() };
const listeners = new Set<() => void>();

function storedText(): string {
  if (unstored !== null) return unstored;
  try {
    return localStorage.getItem(STORAGE_KEY) ?? "";
  } catch {
    return "";
  }
}

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
  const text = storedText();
  if (text !== latest.text) latest = { text, keys: parseKeys(text) };
  return latest.keys;
}

/** Adds keys; those that are known change nothing. */
export function see(keys: readonly string[]): void {
  const known = seenKeys();
  const fresh = keys.filter((key) => !known.has(key));
  if (fresh.length === 0) return;
  const text = JSON.stringify([...known, ...fresh].slice(-KEYS_MAX));
  try {
    localStorage.setItem(STORAGE_KEY, text);
  } catch {
    unstored = text;
  }
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  window.addEventListener("storage", listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener("storage", listener);
  };
}

/** The keys of what was seen, in this tab or another. */
export function useSeen(): ReadonlySet<string> {
  return useSyncExternalStore(subscribe, seenKeys);
}
