/** Actions available for a challenge in its current state. */
import type { ListedChallenge } from "../../../api/organize-lists";
import { type Action, only } from "../change/action-buttons";
import type { ActionOrder } from "../change/order";
import type { BulkAction } from "../lists/selection-bar";

/** Actions of a challenge. Only valid next states are offered. */
export function actionsOf(challenge: ListedChallenge): readonly Action[] {
  const { id, challengeName: object, status, statusNote: note } = challenge;
  const of = { fixed: { challenge: id }, object } as const;
  const isHidden = challenge.state === "hidden" || challenge.state === "timed";
  return [
    { ...of, action: "challenge.status", key: "s", initial: { status, note } },
    ...only(isHidden, { ...of, action: "challenge.release", key: "r" }),
    ...only(challenge.state !== "hidden", { ...of, action: "challenge.hide", key: "h" }),
    { ...of, action: "challenge.close" },
    { ...of, action: "challenge.rejudge" },
    ...only(Boolean(challenge.attempts), { ...of, action: "challenge.attempts" }),
    ...only(challenge.solves > 0, { ...of, action: "solve.withdraw" }),
  ];
}

/** Status that is set most often next, in one step. */
export function nextStatus({ status }: ListedChallenge): "broken" | "fixed" {
  return status === "broken" || status === "looked_at" ? "fixed" : "broken";
}

/** Order that sets a status; its dialog asks only for the note. `object` names both. */
export function statusOrder(
  { id }: ListedChallenge,
  status: "broken" | "fixed",
  object: string,
): ActionOrder {
  return { action: "challenge.status", fixed: { challenge: id, status }, object };
}

const isWaiting = ({ state }: ListedChallenge) => state === "hidden" || state === "timed";

interface BulkWords {
  release: (count: number) => string;
  hide: (count: number) => string;
  objects: (count: number) => string;
}

/** Actions on several challenges, each for the selected ones that can take it. */
export function bulkActions(
  chosen: readonly ListedChallenge[],
  words: BulkWords,
  onDone: () => void,
): readonly BulkAction[] {
  const waiting = chosen.filter(isWaiting).map(({ id }) => id);
  const shown = chosen.filter(({ state }) => state !== "hidden").map(({ id }) => id);
  const orderOf = (challenges: string[]) => {
    return { fixed: { challenges }, object: words.objects(challenges.length), onDone };
  };
  const release: BulkAction = {
    text: words.release(waiting.length),
    shortcut: "w",
    order: { action: "challenge.release", ...orderOf(waiting) },
  };
  const hide: BulkAction = {
    text: words.hide(shown.length),
    shortcut: "H",
    isDanger: true,
    order: { action: "challenge.hide", ...orderOf(shown) },
  };
  return [...(waiting.length > 0 ? [release] : []), ...(shown.length > 0 ? [hide] : [])];
}

export const editAddress = (id: string) => `/organize/challenges/${encodeURIComponent(id)}/edit`;

/** Proposed ID for a new challenge; empty if the name has no valid characters. */
export function idFor(name: string): string {
  const plain = name.normalize("NFKD").toLowerCase().replace(/\p{M}/gu, "");
  return plain
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, 64);
}

/** Incorrect submissions in the last hour that are many. */
const MANY = 10;

interface ChallengeFilter {
  readonly q: string;
  /** One value, or several separated by commas; empty for all. */
  readonly state: string;
  readonly status: string;
  /** `none` for challenges that nobody solved. */
  readonly solved?: string;
  /** `many` for challenges with many incorrect submissions in the last hour. */
  readonly wrong?: string;
  readonly order: string;
}

const isOneOf = (wanted: string, value: string) =>
  wanted === "" || wanted.split(",").includes(value);

/** Challenges that match the filters, sorted. */
export function arranged(
  challenges: readonly ListedChallenge[],
  filter: ChallengeFilter,
): readonly ListedChallenge[] {
  const q = filter.q.trim().toLowerCase();
  const left = challenges.filter((one) => {
    const { challengeName, id, categories, state, status, solves } = one;
    const text = [challengeName, id, ...categories].join(" ").toLowerCase();
    return (
      text.includes(q) &&
      isOneOf(filter.state, state) &&
      isOneOf(filter.status, status) &&
      (filter.solved !== "none" || solves === 0) &&
      (filter.wrong !== "many" || (one.wrongLastHour ?? 0) >= MANY)
    );
  });
  if (filter.order === "name") {
    return left.toSorted((a, b) => a.challengeName.localeCompare(b.challengeName));
  }
  const figure = ORDERS[filter.order];
  return figure ? left.toSorted((a, b) => figure(b) - figure(a)) : left;
}

/** Sort key of each order; the largest comes first. */
const ORDERS: Readonly<Record<string, (challenge: ListedChallenge) => number>> = {
  value: ({ value }) => value,
  solves: ({ solves }) => solves,
  tries: ({ tries }) => tries ?? 0,
  wrong: ({ wrongLastHour }) => wrongLastHour ?? 0,
  median: ({ medianMs }) => medianMs ?? 0,
  stuck: ({ stuck }) => stuck ?? 0,
};
