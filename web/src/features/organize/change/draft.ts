/** What was typed into a sheet, kept in the tab's storage until the act is done. */
import { useEffect, useState } from "react";
import { isRecord } from "../../../api/unknown";
import type { Values } from "./order";

export interface Draft {
  readonly values: Values;
  readonly reason: string;
}

function read(key: string): Draft | null {
  try {
    const draft: unknown = JSON.parse(sessionStorage.getItem(key) ?? "null");
    if (!isRecord(draft) || !isRecord(draft.values) || typeof draft.reason !== "string")
      return null;
    const values: Record<string, string | true> = {};
    for (const [name, value] of Object.entries(draft.values)) {
      if (typeof value === "string" || value === true) values[name] = value;
    }
    return { values, reason: draft.reason };
  } catch {
    return null; // storage is forbidden here, or another version wrote this
  }
}

function write(key: string, draft: Draft | null): void {
  try {
    if (draft) sessionStorage.setItem(key, JSON.stringify(draft));
    else sessionStorage.removeItem(key);
  } catch {
    // storage is forbidden here: the draft lasts as long as its sheet
  }
}

/** The draft of a sheet, which outlives the sheet, a reload, and a lost network. */
export function useDraft(key: string, initial: Draft) {
  const [draft, setDraft] = useState(() => read(key) ?? initial);
  const [isOver, setOver] = useState(false);
  const isTouched = JSON.stringify(draft) !== JSON.stringify(initial);
  useEffect(() => write(key, isTouched && !isOver ? draft : null), [key, draft, isTouched, isOver]);
  return {
    ...draft,
    set: (name: string, value: string | true) =>
      setDraft((before) => ({ ...before, values: { ...before.values, [name]: value } })),
    setReason: (reason: string) => setDraft((before) => ({ ...before, reason })),
    /** The act is done: nothing is kept. */
    forget: () => {
      write(key, null);
      setOver(true);
    },
  };
}
