/** What can be done with a challenge in its present state. */
import type { ListedChallenge } from "../../../api/organize-lists";
import { type Action, only } from "../change/action-buttons";

/** The actions of a challenge; only legal next states are offered. */
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
    ...only(challenge.solves > 0, { ...of, action: "solve.withdraw" }),
  ];
}

export const editAddress = (id: string) => `/organize/challenges/${encodeURIComponent(id)}/edit`;

/** An id that is proposed for a new challenge of a name; empty if the name has nothing for it. */
export function idFor(name: string): string {
  const plain = name.normalize("NFKD").toLowerCase().replace(/\p{M}/gu, "");
  return plain
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, 64);
}

/** Those that fit the filters of the address, in its order. */
export function arranged(
  challenges: readonly ListedChallenge[],
  filter: { q: string; state: string; status: string; order: string },
): readonly ListedChallenge[] {
  const q = filter.q.trim().toLowerCase();
  const left = challenges.filter(({ challengeName, id, categories, state, status }) => {
    const text = [challengeName, id, ...categories].join(" ").toLowerCase();
    return (
      text.includes(q) &&
      (filter.state === "" || state === filter.state) &&
      (filter.status === "" || status === filter.status)
    );
  });
  const figure = ORDERS[filter.order];
  return figure ? left.toSorted((a, b) => figure(b) - figure(a)) : left;
}

/** The figure by which an order goes, the largest first. */
const ORDERS: Readonly<Record<string, (challenge: ListedChallenge) => number>> = {
  solves: ({ solves }) => solves,
  wrong: ({ wrongLastHour }) => wrongLastHour ?? 0,
  stuck: ({ stuck }) => stuck ?? 0,
};
