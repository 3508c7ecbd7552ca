/** What somebody typed and did not send yet. It has flags: a logout removes it from the tab. */
import { useEffect, useState } from "react";
import {
  baseOf,
  bothOf,
  changedOf,
  type Draft,
  fresh,
  moved,
  savedOn,
  versionOf,
  withPart,
} from "../domain/draft";

/** Whose drafts: those of teams, each by its name, or those of the organizer who is signed in. */
export type Scope = "play" | "organize";

/** Raised when a part of a form gets another shape: drafts that were kept before are left out. */
const FORMAT = 1;

const keyOf = (scope: Scope, name: string) => `${scope} ${name}`;

/** What is kept; null without it, or where storage is forbidden. */
function keptAt<T>(key: string): T | null {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? "null");
  } catch {
    return null;
  }
}

function read<P extends object>(key: string, now: P): Draft<P> {
  const kept = keptAt<Draft<P> & { format: number }>(key);
  return kept?.format === FORMAT ? kept : fresh(now);
}

/** Keeps a value; null removes it. */
function write(key: string, value: unknown): void {
  try {
    if (value === null) sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, JSON.stringify(value));
  } catch {
    // storage is forbidden here or full: what was typed lasts as long as its page
  }
}

/** Removes all drafts of the tab in a scope. */
export function clearDrafts(scope: Scope): void {
  try {
    const keys = Object.keys(sessionStorage).filter((key) => key.startsWith(keyOf(scope, "")));
    for (const key of keys) sessionStorage.removeItem(key);
  } catch {
    // storage is forbidden here: nothing is kept
  }
}

/** Says which organizer is signed in. What somebody else left in this tab is removed. */
export function keepFor(organizer: string): void {
  const key = keyOf("organize", "name");
  if (keptAt(key) === organizer) return;
  clearDrafts("organize");
  write(key, organizer);
}

/** The draft of a name, over values that may change while it is typed. */
export function useDraft<P extends object>(scope: Scope, name: string, now: P) {
  const key = keyOf(scope, name);
  const version = versionOf(now);
  const begin = () => ({ of: key, draft: read(key, now) });
  const [{ of, draft }, setState] = useState(begin);
  const change = (next: (before: Draft<P>) => Draft<P>) =>
    setState((before) => ({ ...before, draft: next(before.draft) }));
  if (of !== key) setState(begin);
  else if (draft.on !== version) change((before) => moved(before, now));
  const changed = changedOf(draft);
  const isTyped = changed.length > 0;
  useEffect(() => write(key, isTyped ? { ...draft, format: FORMAT } : null), [key, draft, isTyped]);
  const base = baseOf(draft, now);
  const valuesOf = (of: Draft<P>): P => ({ ...baseOf(of, now), ...of.touched });
  const values = valuesOf(draft);
  type Name = (typeof changed)[number];
  return {
    values,
    /** What they are changed from. */
    base,
    /** The names of the parts that were typed. */
    changed,
    /** Those that somebody else has changed too; mine stay. */
    both: bothOf(draft, now),
    set: <N extends Name>(part: N, value: P[N]) =>
      change((before) => withPart(before, now, part, value)),
    /** Changes a part from what it is by then. */
    update: <N extends Name>(part: N, next: (before: P[N]) => P[N]) =>
      change((before) => withPart(before, now, part, next(valuesOf(before)[part]))),
    /** Takes the values as they are; nothing is kept. */
    discard() {
      write(key, null);
      change(() => fresh(now));
    },
    /** These values are saved: what is read next has them. */
    saved: () => change((before) => savedOn(before, values, version)),
  };
}

export type DraftOf<P extends object> = ReturnType<typeof useDraft<P>>;
