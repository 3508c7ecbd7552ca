/**
 * Preferences stored in the browser: theme, time zone, single-key shortcuts. All tabs stay in sync.
 * Without storage a choice lasts until the page is closed.
 */
import { useSyncExternalStore } from "react";

export interface Preference<Value extends string> {
  readonly key: string;
  /** Allowed values; the first is the default. */
  readonly values: readonly [Value, ...Value[]];
}

export const THEME: Preference<"auto" | "dark" | "light"> = {
  key: "theme",
  values: ["auto", "dark", "light"],
};
/** Time zone for displayed times. */
export const ZONE: Preference<"mine" | "event"> = { key: "zone", values: ["mine", "event"] };
/**
 * Value `yes` if an organizer is logged in with this browser, as last seen by the organizer pages.
 */
export const ORGANIZER: Preference<"no" | "yes"> = { key: "organizer", values: ["no", "yes"] };
export const LETTER_KEYS: Preference<"on" | "off"> = { key: "letter-keys", values: ["on", "off"] };

/** Values that could not be stored, by key. */
const unstored = new Map<string, string>();
const listeners = new Set<() => void>();

export function followStored(listener: () => void): () => void {
  listeners.add(listener);
  window.addEventListener("storage", listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener("storage", listener);
  };
}

export function readStored(key: string): string | null {
  try {
    return unstored.get(key) ?? localStorage.getItem(key);
  } catch {
    return null;
  }
}

/** The stored choice, or the default if it is missing or invalid. */
export function readPreference<Value extends string>({ key, values }: Preference<Value>): Value {
  const text = readStored(key);
  return values.find((value) => value === text) ?? values[0];
}

export function writeStored(key: string, text: string): void {
  try {
    localStorage.setItem(key, text);
    unstored.delete(key);
  } catch {
    unstored.set(key, text);
  }
  for (const listener of listeners) listener();
}

export function choosePreference<Value extends string>(
  { key }: Preference<Value>,
  value: Value,
): void {
  writeStored(key, value);
}

/** The current choice; renders again when it changes, here or in another tab. */
export function usePreference<Value extends string>(preference: Preference<Value>): Value {
  return useSyncExternalStore(followStored, () => readPreference(preference));
}
