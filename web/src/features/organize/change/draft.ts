/**
 * What was typed into a sheet, kept in the tab's storage until the act is done. Only what was
 * touched is kept: what a colleague changes meanwhile is not put back by it.
 */
import { useEffect, useState } from "react";
import { isRecord, textOr } from "../../../api/unknown";
import type { Values } from "./order";

/** The notice that goes with an act. */
export interface Announcement {
  readonly isOn: boolean;
  readonly title: string;
  readonly text: string;
  readonly urgent: boolean;
}

interface Draft {
  readonly touched: Values;
  /** What each field was when it was first typed into. */
  readonly over: Values;
  /** Missing if it was not typed. */
  readonly reason?: string;
  readonly notice: Announcement;
}

const NONE: Draft = {
  touched: {},
  over: {},
  notice: { isOn: false, title: "", text: "", urgent: false },
};

function valuesOf(kept: unknown): Values {
  if (!isRecord(kept)) return {};
  const values: Record<string, string | true> = {};
  for (const [name, value] of Object.entries(kept)) {
    if (typeof value === "string" || value === true) values[name] = value;
  }
  return values;
}

function noticeOf(kept: unknown): Announcement {
  if (!isRecord(kept)) return NONE.notice;
  const { isOn, title, text, urgent } = kept;
  const words = { title: textOr(title, ""), text: textOr(text, "") };
  return { ...words, isOn: isOn === true, urgent: urgent === true };
}

function read(key: string): Draft {
  try {
    const draft: unknown = JSON.parse(sessionStorage.getItem(key) ?? "null");
    if (!isRecord(draft)) return NONE;
    const { touched, over, reason, notice } = draft;
    const fields = { touched: valuesOf(touched), over: valuesOf(over) };
    const kept = { ...fields, notice: noticeOf(notice) };
    return typeof reason === "string" ? { ...kept, reason } : kept;
  } catch {
    return NONE; // storage is forbidden here, or another version wrote this
  }
}

function write(key: string, draft: Draft): void {
  try {
    const isNone = JSON.stringify(draft) === JSON.stringify(NONE);
    if (isNone) sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, JSON.stringify(draft));
  } catch {
    // storage is forbidden here: the draft lasts as long as its sheet
  }
}

/**
 * The draft of a sheet, which outlives the sheet, a reload, and a lost network. `initial` is what
 * the fields are without it, which may change while the sheet is open.
 */
export function useDraft(key: string, initial: { values: Values; reason: string }) {
  const [draft, setDraft] = useState(() => read(key));
  const [isOver, setOver] = useState(false);
  useEffect(() => write(key, isOver ? NONE : draft), [key, draft, isOver]);
  const { touched, over, reason = initial.reason, notice } = draft;
  function set(changes: Values) {
    const next = { touched: { ...touched }, over: { ...over } };
    for (const [name, value] of Object.entries(changes)) {
      const now = initial.values[name] ?? "";
      const before = over[name] ?? now;
      delete next.touched[name];
      delete next.over[name];
      if (value === now) continue;
      next.touched[name] = value;
      next.over[name] = before;
    }
    setDraft({ ...draft, ...next });
  }
  return {
    values: { ...initial.values, ...touched },
    reason,
    notice,
    set,
    /** What a field that was typed into became meanwhile; undefined if it is as it was. */
    became(name: string): string | true | undefined {
      const now = initial.values[name] ?? "";
      const typed = touched[name];
      if (typed === undefined || typed === now || now === over[name]) return undefined;
      return now;
    },
    setReason(text: string) {
      const { reason: _, ...others } = draft;
      setDraft(text === initial.reason ? others : { ...others, reason: text });
    },
    setNotice: (next: Announcement) => setDraft({ ...draft, notice: next }),
    /** The act is done: nothing is kept. */
    forget: () => {
      write(key, NONE);
      setOver(true);
    },
  };
}
