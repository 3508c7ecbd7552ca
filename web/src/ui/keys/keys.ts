/**
 * Keys of one character. They do nothing while a text is typed or a dialog is open, with a modifier
 * (but for what types the character), or when the visitor has switched them off (WCAG 2.1.4).
 */
import { useEffect, useRef } from "react";
import { LETTER_KEYS, readPreference } from "../preference/preference";

const TYPING = "input:not([type=checkbox]), select, textarea, [contenteditable]";

/** Whether a key is meant for the page, and not for a field, a dialog or the browser. */
export function isForPage(event: KeyboardEvent): boolean {
  const { target, ctrlKey, metaKey, altKey, defaultPrevented } = event;
  if (ctrlKey || metaKey || altKey || defaultPrevented) return false;
  if (target instanceof Element && target.closest(TYPING) !== null) return false;
  return document.querySelector("dialog[open]") === null;
}

/** Calls `action` for each key that it names; what it returns false for is left to the browser. */
export function useKeys(action: (key: string) => boolean): void {
  const latest = useRef(action);
  useEffect(() => {
    latest.current = action;
  });
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.length !== 1 || !isForPage(event)) return;
      if (readPreference(LETTER_KEYS) === "off") return;
      if (latest.current(event.key)) event.preventDefault();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, []);
}
