/** Views that the organizer saved under a name, kept in this browser. */
import { useSyncExternalStore } from "react";

export interface SavedView {
  readonly name: string;
  readonly path: string;
  /** Query string with its filters, without `?`. */
  readonly search: string;
}

const KEY = "organize-views";
const NONE: readonly SavedView[] = [];
const listeners = new Set<() => void>();
let read: { readonly text: string | null; readonly views: readonly SavedView[] } | undefined;
/** Views of a browser without storage, which last as long as the page. */
let unstored: string | null = null;

function isView(value: unknown): value is SavedView {
  return (
    typeof value === "object" &&
    value !== null &&
    ["name", "path", "search"].every((name) => name in value) &&
    Object.values(value).every((text) => typeof text === "string")
  );
}

function parsed(text: string | null): readonly SavedView[] {
  try {
    const all: unknown = JSON.parse(text ?? "[]");
    return Array.isArray(all) ? all.filter(isView) : NONE;
  } catch {
    return NONE;
  }
}

function stored(): string | null {
  try {
    return localStorage.getItem(KEY) ?? unstored;
  } catch {
    return unstored;
  }
}

/** The saved views; the same array until they change. */
export function savedViews(): readonly SavedView[] {
  const text = stored();
  if (read?.text !== text) read = { text, views: parsed(text) };
  return read?.views ?? NONE;
}

function store(views: readonly SavedView[]): void {
  const text = JSON.stringify(views);
  try {
    localStorage.setItem(KEY, text);
  } catch {
    unstored = text;
  }
  for (const tell of listeners) tell();
}

/** Saves a view; one of the same page and name is replaced. */
export function saveView(view: SavedView): void {
  store([...savedViews().filter((one) => !isSame(one, view)), view]);
}

export function removeView(view: SavedView): void {
  store(savedViews().filter((one) => !isSame(one, view)));
}

function isSame(one: SavedView, other: SavedView): boolean {
  return one.path === other.path && one.name === other.name;
}

function listen(tell: () => void): () => void {
  const onStorage = (event: StorageEvent) => event.key === KEY && tell();
  listeners.add(tell);
  window.addEventListener("storage", onStorage);
  return () => {
    listeners.delete(tell);
    window.removeEventListener("storage", onStorage);
  };
}

export function useSavedViews(): readonly SavedView[] {
  return useSyncExternalStore(listen, savedViews);
}
