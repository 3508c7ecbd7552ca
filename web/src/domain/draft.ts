/**
 * A draft: what somebody typed over values that others may change meanwhile. It is merged by part:
 * what was typed stays, all else follows what the values are now. Pure.
 */

export interface Draft<P> {
  /** The parts that differ from what they are typed over. */
  readonly touched: Partial<P>;
  /** What each of them was when it was first typed. */
  readonly over: Partial<P>;
  /** The version of the values that it is on. */
  readonly on: string;
  /** What was saved of it, while the values are still those of before. */
  readonly saved?: P | undefined;
}

/** Differs whenever values do. */
export const versionOf = (now: object): string => JSON.stringify(now);

/** A draft in which nothing was typed yet. */
export const fresh = <P extends object>(now: P): Draft<P> => {
  return { touched: {}, over: {}, on: versionOf(now) };
};

/** The values that a draft changes. */
export const baseOf = <P extends object>({ saved }: Draft<P>, now: P): P => saved ?? now;

const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

/** Members of lists that nobody types: how a file writes an item, and what an upload is. */
const UNTYPED = new Set(["raw", "isNew", "bytes", "otherNodes"]);

/** Whether two values of a part say the same to whoever reads them. */
function saysSame(a: unknown, b: unknown): boolean {
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

/** A draft without the touched parts that `isKept` refuses. */
function withOnly<P extends object>(draft: Draft<P>, isKept: (name: Name<P>) => boolean): Draft<P> {
  return { ...draft, touched: only(draft.touched, isKept), over: only(draft.over, isKept) };
}

/** The names of the touched parts. */
export function changedOf<P extends object>({ touched }: Draft<P>): readonly Name<P>[] {
  const names: Name<P>[] = [];
  for (const name in touched) names.push(name);
  return names;
}

/** The touched parts that somebody else has changed too, and that are not as theirs. */
export function bothOf<P extends object>(draft: Draft<P>, now: P): readonly Name<P>[] {
  const { touched, over } = draft;
  const base = baseOf(draft, now);
  return changedOf(draft).filter(
    (name) => !saysSame(base[name], over[name]) && !saysSame(base[name], touched[name]),
  );
}

/** A draft in which a part has a value; one that is as without the draft is not touched. */
export function withPart<P extends object, N extends Name<P>>(
  draft: Draft<P>,
  now: P,
  name: N,
  value: P[N],
): Draft<P> {
  const base = baseOf(draft, now);
  if (isSame(value, base[name] ?? "")) return withOnly(draft, (one) => one !== name);
  const touched = { ...draft.touched, [name]: value };
  return { ...draft, touched, over: { [name]: base[name], ...draft.over } };
}

/** A draft on values that are others now. */
export function moved<P extends object>({ touched, over }: Draft<P>, now: P): Draft<P> {
  const draft = { touched, over, on: versionOf(now) };
  return withOnly(draft, (name) => !isSame(touched[name], now[name]));
}

/** A draft of which these values were saved over those of a version: what was typed since stays. */
export function savedOn<P extends object>(draft: Draft<P>, saved: P, on: string): Draft<P> {
  const { touched } = withOnly(draft, (name) => !isSame(draft.touched[name], saved[name]));
  const over = only<P>(saved, (name) => Object.hasOwn(touched, name));
  return { touched, over, on, saved };
}
