import { nameOf } from "../../../api/organize-flags";
import type { Pair, SentFlag } from "../../../api/organize-lists";

/** Name of a pair of teams, in the URL and as a key. */
export function pairName({ teamName, otherName }: Pair): string {
  return JSON.stringify(otherName ? [teamName, otherName] : [teamName]);
}

/**
 * Key of a row. If a team has several submissions at the same time, the number of those below
 * distinguishes them.
 */
export function keyOf(rows: readonly SentFlag[], place: number): string {
  const flag = rows[place];
  if (!flag) return place.toString();
  const name = nameOf(flag);
  let same = 0;
  for (let at = place + 1; ; at += 1) {
    const next = rows[at];
    if (next?.at !== flag.at) return `${name} ${same}`;
    if (nameOf(next) === name) same += 1;
  }
}
