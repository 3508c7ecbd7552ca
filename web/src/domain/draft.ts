/**
 * A draft: edits over values that others may change concurrently. Drafts are merged by part: edited
 * parts are kept, all others follow the current values. Pure.
 */

export interface Draft<P> {
  /** Edited parts, which differ from their base values. */
  readonly touched: Partial<P>;
  /** Base values of the edited parts at the time of the first edit. */
  readonly over: Partial<P>;
  /** Version of the values that the draft is based on. */
  readonly on: string;
  /** Saved values, until the current values are refetched. */
  readonly saved?: P | undefined;
}

/** Version of values; equal only for equal values. */
export const versionOf = (now: object): string => JSON.stringify(now);

/** A draft without edits. */
export const emptyDraft = <P extends object>(now: P): Draft<P> => {
  return { touched: {}, over: {}, on: versionOf(now) };
};

/** The base values of a draft. */
export const baseOf = <P extends object>({ saved }: Draft<P>, now: P): P => saved ?? now;

const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

/** Members of list items that are not edited: source text and upload metadata. */
const UNTYPED = new Set(["raw", "isNew", "bytes", "otherNodes"]);

/** True if two values of a part are equal, ignoring whitespace and unedited members. */
function isEquivalent(a: unknown, b: unknown): boolean {
  const said = (value: unknown) =>
    JSON.stringify(value, (name, one: unknown) => {
      if (UNTYPED.has(name)) return undefined;
      return typeof one === "string" ? one.trim() : one;
    });
  return said(a) === said(b);
}

type Name<P> = Extract<keyof P, string>;

function only<P extends object>(parts: Partial<P>, isKept: (name: Name<P>) => boolean): Partial<P> {
  const kept = { ...parts };
  for (const name in kept) if (!isKept(name)) delete kept[name];
  return kept;
}

/** A draft with only the touched parts accepted by `isKept`. */
function keepTouched<P extends object>(
  draft: Draft<P>,
  isKept: (name: Name<P>) => boolean,
): Draft<P> {
  return { ...draft, touched: only(draft.touched, isKept), over: only(draft.over, isKept) };
}

/** The names of the touched parts. */
export function touchedNames<P extends object>({ touched }: Draft<P>): readonly Name<P>[] {
  const names: Name<P>[] = [];
  for (const name in touched) names.push(name);
  return names;
}

/** The conflicts: touched parts that someone else changed to a different value. */
export function conflictsOf<P extends object>(draft: Draft<P>, now: P): readonly Name<P>[] {
  const { touched, over } = draft;
  const base = baseOf(draft, now);
  return touchedNames(draft).filter(
    (name) => !isEquivalent(base[name], over[name]) && !isEquivalent(base[name], touched[name]),
  );
}

/** Sets a part of a draft; a value equal to the base makes the part untouched. */
export function withPart<P extends object, N extends Name<P>>(
  draft: Draft<P>,
  now: P,
  name: N,
  value: P[N],
): Draft<P> {
  const base = baseOf(draft, now);
  if (isSame(value, base[name] ?? "")) return keepTouched(draft, (one) => one !== name);
  const touched = { ...draft.touched, [name]: value };
  return { ...draft, touched, over: { [name]: base[name], ...draft.over } };
}

/** Rebases a draft onto new values. */
export function rebased<P extends object>({ touched, over }: Draft<P>, now: P): Draft<P> {
  const draft = { touched, over, on: versionOf(now) };
  return keepTouched(draft, (name) => !isSame(touched[name], now[name]));
}

/** The draft after a save over version `on`. Edits made since then are kept. */
export function afterSave<P extends object>(draft: Draft<P>, saved: P, on: string): Draft<P> {
  const { touched } = keepTouched(draft, (name) => !isSame(draft.touched[name], saved[name]));
  const over = only<P>(saved, (name) => Object.hasOwn(touched, name));
  return { touched, over, on, saved };
}
