/**
 * What was typed into a form that sets something, kept in the tab's storage. Only the parts that
 * were touched are kept: the others follow what a colleague makes of them.
 */
import { useEffect, useState } from "react";
import { readKept, writeKept } from "../../../api/organize-drafts";
import { isRecord } from "../../../api/unknown";

/** An item of a list: its texts by name. */
export type Row = Readonly<Record<string, string>>;
export type Value = string | boolean | readonly Row[];
/** The parts of a form by name. */
export type Values = Readonly<Record<string, Value>>;

export interface Draft {
  readonly touched: Values;
  /** What each part was when it was first touched. */
  readonly over: Values;
  /** What was saved, on values that were not read again yet. */
  readonly saved?: { readonly values: Values; readonly on: string } | undefined;
}

export const NONE: Draft = { touched: {}, over: {} };

const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

/** The parts that are touched and not as they are now. */
export function changedOf({ touched }: Draft, now: Values): readonly string[] {
  return Object.keys(touched).filter(
    (name) => Object.hasOwn(now, name) && !isSame(touched[name], now[name]),
  );
}

/** The changed parts that became something else meanwhile. */
export function bothOf(draft: Draft, now: Values): readonly string[] {
  return changedOf(draft, now).filter((name) => !isSame(draft.over[name], now[name]));
}

/** A draft in which a part has a value; one that is as it is now is not touched. */
export function withPart(draft: Draft, now: Values, name: string, value: Value): Draft {
  const { [name]: _, ...touched } = draft.touched;
  const { [name]: before = now[name], ...over } = draft.over;
  if (before === undefined || isSame(value, now[name])) return { ...draft, touched, over };
  return { ...draft, touched: { ...touched, [name]: value }, over: { ...over, [name]: before } };
}

/** A draft once what was saved of it is read again: what was typed since stays. */
export function settled({ touched, saved }: Draft, now: Values): Draft {
  const left = Object.entries(touched).filter(([name, value]) => {
    return !isSame(value, saved?.values[name]);
  });
  const over = left.flatMap(([name]) => {
    const value = now[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return { touched: Object.fromEntries(left), over: Object.fromEntries(over) };
}

function isRow(value: unknown): value is Row {
  return isRecord(value) && Object.values(value).every((text) => typeof text === "string");
}

function readValues(kept: unknown): Values {
  const values: Record<string, Value> = {};
  for (const [name, value] of Object.entries(isRecord(kept) ? kept : {})) {
    if (typeof value === "string" || typeof value === "boolean") values[name] = value;
    if (Array.isArray(value) && value.every(isRow)) values[name] = value;
  }
  return values;
}

/** A draft from the tab's storage; what is none of one is left out. */
export function readDraft(kept: unknown): Draft {
  if (!isRecord(kept)) return NONE;
  return { touched: readValues(kept.touched), over: readValues(kept.over) };
}

/** The draft of a form whose parts are `now` without it. */
export function useFormDraft(key: string, now: Values) {
  const [draft, setDraft] = useState(() => readDraft(readKept(key)));
  const version = JSON.stringify(now);
  if (draft.saved && draft.saved.on !== version) setDraft(settled(draft, now));
  const changed = changedOf(draft, now);
  const isTyped = changed.length > 0;
  useEffect(() => writeKept(key, isTyped ? draft : null), [key, draft, isTyped]);
  const mine = changed.flatMap((name) => {
    const value = draft.touched[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  const values: Values = { ...now, ...Object.fromEntries(mine) };
  return {
    values,
    changed,
    /** What somebody else changed too; mine stays. */
    both: bothOf(draft, now),
    set: (name: string, value: Value) => setDraft((before) => withPart(before, now, name, value)),
    discard: () => setDraft(NONE),
    /** It is not needed any more. */
    forget() {
      writeKept(key, null);
      setDraft(NONE);
    },
    /** These values are saved: what is read next has them. */
    saved: () => setDraft((before) => ({ ...before, saved: { values, on: version } })),
  };
}

export type FormDraft = ReturnType<typeof useFormDraft>;

export const textOfPart = (value: Value | undefined) => (typeof value === "string" ? value : "");

export function rowsOfPart(value: Value | undefined): readonly Row[] {
  return typeof value === "object" ? value : [];
}
