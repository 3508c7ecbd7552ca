import { nameOf } from "../../../api/organize-flags";
import type { SentFlag } from "../../../api/organize-lists";

/**
 * What names a row among others. Two flags of a team may have the same time: those behind in the
 * list tell them apart.
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
