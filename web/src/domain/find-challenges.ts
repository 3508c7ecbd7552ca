/** Which challenges of the list are shown, in which order and sections. */
import { type BoardChallenge, groupByCategory } from "./board";
import type { Derived, Listed } from "./challenges";
import { folded } from "./find";
import { pointsOf } from "./points";

export type Shown = "all" | "unsolved" | "solved";
export type Order = "place" | "points" | "solves";

/** What the player asks for. */
export interface Wish {
  /** Part of a name, of a category or of the text. */
  readonly q: string;
  readonly show: Shown;
  readonly order: Order;
  /** The id of a challenge that stays, solved or not: the moment of its solve is shown. */
  readonly keep?: string | undefined;
}

type Named = Derived<Listed & Omit<BoardChallenge, "fbTs"> & { description: string }>;

/** Challenges that stand together, and how many of the category's are solved. */
export interface Section<T> {
  /** Null where the order has one section of all. */
  readonly category: string | null;
  readonly challenges: readonly T[];
  readonly solved: number;
  readonly all: number;
}

function isWished(challenge: Named, { q, show, keep }: Wish): boolean {
  if (challenge.id === keep) return true;
  if (show !== "all" && challenge.solved !== (show === "solved")) return false;
  const wanted = folded(q);
  if (wanted === "") return true;
  const text = challenge.description.replace(/<[^>]*>/g, " ");
  return folded([challenge.challengeName, ...challenge.categories, text].join("\n")).includes(
    wanted,
  );
}

function inOrder<T extends Named>(challenges: readonly T[], order: Order): T[] {
  const worth = (one: T) => pointsOf(one, one.solved_pos ?? undefined);
  // The sort is stable: equal ones keep their place.
  if (order === "points") return [...challenges].sort((a, b) => worth(a) - worth(b));
  return [...challenges].sort((a, b) => b.nsolves - a.nsolves);
}

/**
 * The sections to show. By place, one for each first category, with the progress in the whole of
 * it; by points (the easy ones first) or solves (the most solved first), one of all.
 */
export function sectionsOf<T extends Named>(challenges: readonly T[], wish: Wish): Section<T>[] {
  const section = (category: string | null, members: readonly T[]): Section<T> => ({
    category,
    challenges: members.filter((one) => isWished(one, wish)),
    solved: members.filter(({ solved }) => solved).length,
    all: members.length,
  });
  const sections =
    wish.order === "place"
      ? groupByCategory(challenges).map((group) => section(group.category, group.challenges))
      : [section(null, inOrder(challenges, wish.order))];
  return sections.filter(({ challenges: shown }) => shown.length > 0);
}
