/** Drafts of unsent input. They can contain flags, so a logout removes them from the tab. */
import { useEffect, useState } from "react";
import {
  afterSave,
  baseOf,
  conflictsOf,
  type Draft,
  emptyDraft,
  rebased,
  touchedNames,
  versionOf,
  withPart,
} from "../domain/draft";
import { clearDrafts, keyOf, type Scope } from "./draft-keys";

/** Format version. Raise it when a form field changes shape: older drafts are ignored. */
const FORMAT = 1;

/** Returns the stored value; null if there is none or storage is not available. */
function readStored<T>(key: string): T | null {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? "null");
  } catch {
    return null;
  }
}

function read<P extends object>(key: string, now: P): Draft<P> {
  const kept = readStored<Draft<P> & { format: number }>(key);
  return kept?.format === FORMAT ? kept : emptyDraft(now);
}

/** Stores a value; null removes it. */
function write(key: string, value: unknown): void {
  try {
    if (value === null) sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, JSON.stringify(value));
  } catch {
    // Storage is full or not available: the draft lasts as long as its page.
  }
}

/** Sets the logged-in organizer, and removes drafts of any other organizer from this tab. */
export function setDraftOwner(organizer: string): void {
  const key = keyOf("organize", "name");
  if (readStored(key) === organizer) return;
  clearDrafts("organize");
  write(key, organizer);
}

/** A named draft over values that others can change during the edit. */
export function useDraft<P extends object>(scope: Scope, name: string, now: P) {
  const key = keyOf(scope, name);
  const version = versionOf(now);
  const begin = () => ({ of: key, draft: read(key, now) });
  const [{ of, draft }, setState] = useState(begin);
  const change = (next: (before: Draft<P>) => Draft<P>) =>
    setState((before) => ({ ...before, draft: next(before.draft) }));
  if (of !== key) setState(begin);
  else if (draft.on !== version) change((before) => rebased(before, now));
  const changed = touchedNames(draft);
  const isTyped = changed.length > 0;
  useEffect(() => write(key, isTyped ? { ...draft, format: FORMAT } : null), [key, draft, isTyped]);
  const base = baseOf(draft, now);
  const valuesOf = (of: Draft<P>): P => ({ ...baseOf(of, now), ...of.touched });
  const values = valuesOf(draft);
  type Name = (typeof changed)[number];
  return {
    values,
    /** Values that the edit started from. */
    base,
    /** Values of the edited fields before the first edit. */
    over: draft.over,
    /** Names of the edited fields. */
    changed,
    /** Edited fields that someone else changed too. The local edits are kept. */
    both: conflictsOf(draft, now),
    set: <N extends Name>(part: N, value: P[N]) =>
      change((before) => withPart(before, now, part, value)),
    /** Changes a field based on its latest value. */
    update: <N extends Name>(part: N, next: (before: P[N]) => P[N]) =>
      change((before) => withPart(before, now, part, next(valuesOf(before)[part]))),
    /** Drops the draft and returns to the current values. */
    discard() {
      write(key, null);
      change(() => emptyDraft(now));
    },
    /** Records that these values were saved, so that the next read will contain them. */
    saved: () => change((before) => afterSave(before, values, version)),
  };
}

export type DraftOf<P extends object> = ReturnType<typeof useDraft<P>>;
