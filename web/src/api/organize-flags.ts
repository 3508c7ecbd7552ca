/** Flags in a list that others come to. */
import type { SentFlag, SentFlags } from "./organize-lists";

/** Rows that may come to the first page before all is read again, as it was at first. */
const GROWN_MAX = 1000;

const known = new WeakMap<SentFlag, string>();

/** Names a flag; two of a team may have the same name. */
export function nameOf(flag: SentFlag): string {
  const { at, teamName, challengeId, verdict } = flag;
  const name = known.get(flag) ?? `${at}\n${teamName}\n${challengeId}\n${verdict}`;
  known.set(flag, name);
  return name;
}

/** The first page after newer ones; null if others may be between them, or if it is too long. */
export function withHead(first: SentFlags, head: readonly SentFlags[]): SentFlags | null {
  const fresh = head.flatMap(({ flags }) => flags);
  const end = head.at(-1)?.next ? (fresh.at(-1)?.at ?? 0) : 0;
  const newest = first.flags[0]?.at;
  if (newest === undefined || newest < end) return null;
  const names = new Set(fresh.map(nameOf));
  const older = first.flags.filter((flag) => flag.at <= end && !names.has(nameOf(flag)));
  // Behind the first page comes the next one.
  const last = first.next ? (first.flags.at(-1)?.at ?? 0) : 0;
  const flags = [...fresh.filter(({ at }) => at >= last), ...older];
  return flags.length > GROWN_MAX ? null : { ...first, flags };
}
