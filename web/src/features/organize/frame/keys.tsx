/**
 * Keys of one letter, as each part of the page that is open offers them. They are off in fields and
 * dialogs, and altogether if the person turns them off (WCAG 2.1.4).
 */
import { useEffect, useRef } from "react";
import { isForPage } from "../../../ui/keys/keys";
import { choosePreference, LETTER_KEYS, usePreference } from "../../../ui/preference/preference";

interface Shortcut {
  /** As `KeyboardEvent.key` has it, or two with a blank between: `g t`. */
  readonly key: string;
  readonly label: string;
  readonly run: () => void;
}

/** How long the first of two keys waits for the second. */
const SECOND_KEY_MS = 1500;

/** What the page that is open offers at the moment. */
const shortcuts: Shortcut[] = [];

/** Each key once, as it is offered at the moment. */
export function offeredShortcuts(): readonly Shortcut[] {
  return [...new Map(shortcuts.map((one) => [one.key, one])).values()];
}

export function useLetterKeys(): boolean {
  return usePreference(LETTER_KEYS) === "on";
}

export function turnLetterKeys(isOn: boolean): void {
  choosePreference(LETTER_KEYS, isOn ? "on" : "off");
}

/** Runs what was added last for the key that was pressed. */
export function useShortcutKeys(): void {
  const isOn = useLetterKeys();
  const first = useRef({ key: "", at: 0 });
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!isForPage(event) || (!isOn && event.key.length === 1)) return;
      const { key, at } = first.current;
      const pair = event.timeStamp - at < SECOND_KEY_MS ? `${key} ${event.key}` : "";
      const found =
        shortcuts.findLast((one) => one.key === pair) ??
        shortcuts.findLast((one) => one.key === event.key);
      first.current = { key: event.key, at: event.timeStamp };
      if (!found) return;
      first.current.key = "";
      event.preventDefault();
      found.run();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [isOn]);
}

export function useShortcut(key: string, label: string, run: (() => void) | undefined): void {
  const latest = useRef(run);
  useEffect(() => {
    latest.current = run;
  });
  const isOffered = run !== undefined;
  useEffect(() => {
    if (!isOffered) return;
    const shortcut = { key, label, run: () => latest.current?.() };
    shortcuts.push(shortcut);
    return () => {
      shortcuts.splice(shortcuts.indexOf(shortcut), 1);
    };
  }, [key, label, isOffered]);
}

function isInView(row: HTMLElement): boolean {
  const { top, bottom } = row.getBoundingClientRect();
  return bottom >= 0 && top <= window.innerHeight;
}

/**
 * The rows of the list that is open: `j` and `k` move the focus among them. Of a long list those
 * near the window are there, and the focused one: if that is out of view, they begin in view.
 */
export function useRowKeys(words: { next: string; previous: string }): void {
  const move = (step: number) => {
    const rows = [...document.querySelectorAll<HTMLElement>("[data-row]")];
    const at = rows.findIndex((row) => row.matches(":focus"));
    // Without a focused row, the open one is where to begin.
    const open = rows.findIndex((row) => row.getAttribute("aria-current") === "true");
    const from = at === -1 ? open : at;
    const row = rows[from];
    const inView = row && !isInView(row) ? rows.findIndex(isInView) : -1;
    const next = row ? from + step : step > 0 ? 0 : rows.length - 1;
    const to = inView === -1 ? next : inView;
    rows[Math.max(0, Math.min(rows.length - 1, to))]?.focus();
  };
  useShortcut("j", words.next, () => move(1));
  useShortcut("k", words.previous, () => move(-1));
}

/** The key that a button has, for the eye: `aria-keyshortcuts` says it to screen readers. */
export function KeyHint({ of }: { of: string }) {
  return (
    <span aria-hidden="true" className="org-key">
      {of}
    </span>
  );
}
