/** Submissions in a list that grows at the top. */
import type { SentFlag, SentFlags } from "./organize-lists";

/** Maximum rows of a grown first page; beyond it, all pages are fetched again. */
const GROWN_MAX = 1000;

const known = new WeakMap<SentFlag, string>();

/** Key of a submission. Two submissions of a team can have the same key. */
export function nameOf(flag: SentFlag): string {
  const { at, teamName, challengeId, verdict } = flag;
  const name = known.get(flag) ?? `${at}\n${teamName}\n${challengeId}\n${verdict}`;
  known.set(flag, name);
  return name;
}

/** Merges newer rows into the first page; null if rows may be missing or it gets too long. */
export function withHead(first: SentFlags, head: readonly SentFlags[]): SentFlags | null {
  const fresh = head.flatMap(({ flags }) => flags);
  const end = head.at(-1)?.next ? (fresh.at(-1)?.at ?? 0) : 0;
  const newest = first.flags[0]?.at;
  if (newest === undefined || newest < end) return null;
  const names = new Set(fresh.map(nameOf));
  const older = first.flags.filter((flag) => flag.at <= end && !names.has(nameOf(flag)));
  // Rows older than the first page belong to the next one.
  const last = first.next ? (first.flags.at(-1)?.at ?? 0) : 0;
  const flags = [...fresh.filter(({ at }) => at >= last), ...older];
  return flags.length > GROWN_MAX ? null : { ...first, flags };
}
