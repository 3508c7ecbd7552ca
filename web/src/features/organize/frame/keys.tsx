/**
 * Shortcuts, registered by the parts of the current page. They are inactive in fields and dialogs,
 * and can be turned off (WCAG 2.1.4). Letters for the open row need the focus at it.
 */
import { createContext, useContext, useEffect, useRef } from "react";
import { KeyReader } from "../../../ui/keys/keys";
import { choosePreference, LETTER_KEYS, usePreference } from "../../../ui/preference/preference";

interface Shortcut {
  /** A `KeyboardEvent.key`, or two separated by a space: `g t`. */
  readonly key: string;
  readonly label: string;
  readonly run: () => void;
  /** True if it needs the focus at the open row, so that text typed elsewhere changes nothing. */
  readonly isOfRow: boolean;
}

/** Shortcuts currently registered. */
const shortcuts: Shortcut[] = [];

/** Currently registered shortcuts, one per key. */
export function offeredShortcuts(): readonly Shortcut[] {
  return [...new Map(shortcuts.map((one) => [one.key, one])).values()];
}

export function useLetterKeys(): boolean {
  return usePreference(LETTER_KEYS) === "on";
}

export function turnLetterKeys(isOn: boolean): void {
  choosePreference(LETTER_KEYS, isOn ? "on" : "off");
}

/** True for what is inside the panel of the open row. */
export const OfRowContext = createContext(false);

function isAtRow(): boolean {
  return document.activeElement?.closest(".org-panel, [data-row]") != null;
}

/** Runs the most recently registered shortcut for a pressed key. */
export function useShortcutKeys(): void {
  const isOn = useLetterKeys();
  useEffect(() => {
    const reader = new KeyReader();
    const onKey = (event: KeyboardEvent) => {
      const key = reader.read(event);
      if (key === null || (!isOn && event.key.length === 1)) return;
      const found = shortcuts.findLast((one) => one.key === key);
      if (!found || (found.isOfRow && !isAtRow())) return;
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
  const isOfRow = useContext(OfRowContext);
  useEffect(() => {
    if (!isOffered) return;
    const shortcut = { key, label, isOfRow, run: () => latest.current?.() };
    shortcuts.push(shortcut);
    return () => {
      shortcuts.splice(shortcuts.indexOf(shortcut), 1);
    };
  }, [key, label, isOffered, isOfRow]);
}

function isInView(row: HTMLElement): boolean {
  const { top, bottom } = row.getBoundingClientRect();
  return bottom >= 0 && top <= window.innerHeight;
}

/**
 * `j` and `k` move the focus among the rows of the current list. Long lists render only the focused
 * row and the rows near the viewport. If the focused row is out of view, they start in view.
 */
export function useRowKeys(words: { next: string; previous: string }): void {
  const move = (step: number) => {
    const rows = [...document.querySelectorAll<HTMLElement>("[data-row]")];
    const at = rows.findIndex((row) => row.matches(":focus"));
    // Without a focused row, start at the open one.
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

/** Visible key of a button; `aria-keyshortcuts` exposes it to screen readers. */
export function KeyHint({ of }: { of: string }) {
  return (
    <span aria-hidden="true" className="org-key">
      {of}
    </span>
  );
}
