/** What names a flag in a list that others come to; two of a team may have the same one. */
import type { SentFlag } from "./organize-lists";

const known = new WeakMap<SentFlag, string>();

export function nameOf(flag: SentFlag): string {
  const { at, teamName, challengeId, verdict } = flag;
  const name = known.get(flag) ?? `${at}\n${teamName}\n${challengeId}\n${verdict}`;
  known.set(flag, name);
  return name;
}
