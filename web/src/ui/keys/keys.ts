/**
 * Keyboard shortcuts of a page: a single key, or `g` and a letter. They are ignored while the user
 * types or a dialog or menu is open, with a modifier (except one that types the character), and if
 * the visitor turned them off (WCAG 2.1.4). Text that is typed beside a field does nothing either.
 */
import { useEffect, useRef } from "react";
import { LETTER_KEYS, readPreference } from "../preference/preference";

const TYPING = "input:not([type=checkbox]), select, textarea, [contenteditable]";
const OPEN = "dialog[open], [popover][data-open]";

/** True if a key is meant for the page, not for a field, a dialog or the browser. */
function isForPage(event: KeyboardEvent): boolean {
  const { target, ctrlKey, metaKey, altKey, defaultPrevented } = event;
  if (ctrlKey || metaKey || altKey || defaultPrevented) return false;
  if (target instanceof Element && target.closest(TYPING) !== null) return false;
  return document.querySelector(OPEN) === null;
}

/** First key of the shortcuts that open a page. */
const PREFIX = "g";
/** Time to press the second key of a shortcut. Letters of typed text follow sooner. */
const SECOND_KEY_MS = 1500;
const LETTER = /^\p{L}$/u;

/** Reads pressed keys as shortcuts. */
export class KeyReader {
  #last: KeyboardEvent | null = null;
  #isText = false;

  /**
   * Returns the pressed key; `g` and the letter after it, such as `g s`; or null for a key of
   * another element, and for a letter of a typed word, which follows a letter without effect.
   */
  read(event: KeyboardEvent): string | null {
    const { key } = event;
    const last = this.#last;
    if (event.isComposing || !isForPage(event)) {
      this.#last = null;
      this.#isText = false;
      return null;
    }
    this.#last = event;
    const isLate = last === null || event.timeStamp - last.timeStamp > SECOND_KEY_MS;
    // A key with an effect is prevented, perhaps by a later listener.
    const isTyping = !isLate && !last.defaultPrevented && (this.#isText || LETTER.test(last.key));
    if (isTyping && !this.#isText && last.key === PREFIX) return `${PREFIX} ${key}`;
    this.#isText = isTyping && key.length === 1;
    return this.#isText && LETTER.test(key) ? null : key;
  }
}

/**
 * Calls `action` for each shortcut, such as `/`, `j` or `g s`; if it returns false, the browser
 * handles the key.
 */
export function useKeys(action: (key: string) => boolean): void {
  const latest = useRef(action);
  useEffect(() => {
    latest.current = action;
  });
  useEffect(() => {
    const reader = new KeyReader();
    const onKey = (event: KeyboardEvent) => {
      const key = reader.read(event);
      if (key === null || event.key.length !== 1 || readPreference(LETTER_KEYS) === "off") return;
      if (latest.current(key)) event.preventDefault();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, []);
}
