/** Filtering, sorting and grouping of the challenge list. */
import { type BoardChallenge, groupByCategory } from "./board";
import type { Derived, Listed } from "./challenges";
import { folded } from "./find";
import { pointsOf } from "./points";

export type Shown = "all" | "unsolved" | "solved";
export type Order = "place" | "points" | "solves";

/** The player's search, filter and sort order. */
export interface Wish {
  /** Part of a name, a category or the description. */
  readonly q: string;
  readonly show: Shown;
  readonly order: Order;
  /** Difficulty; undefined for all. */
  readonly difficulty?: string | undefined;
  /** Tag; undefined for all. */
  readonly tag?: string | undefined;
  /** ID of a challenge that is always shown, because its solve is being celebrated. */
  readonly keep?: string | undefined;
}

interface Labeled {
  readonly difficulty?: string | undefined;
  readonly tags?: readonly string[] | undefined;
}

type Named = Derived<Listed & Omit<BoardChallenge, "fbTs"> & { description: string } & Labeled>;

/** A group of challenges, with the progress in its category. */
export interface Section<T> {
  /** First category; null in an order with a single section. */
  readonly category: string | null;
  readonly challenges: readonly T[];
  readonly solved: number;
  readonly all: number;
}

/** Words for the difficulty that come first, from the easiest. */
const DIFFICULTIES = ["beginner", "easy", "medium", "hard"];

/** The difficulties and tags of the challenges, for the filters. */
export function labelsOf(challenges: readonly Labeled[]) {
  const count = DIFFICULTIES.length + 1;
  const place = (word: string) => (DIFFICULTIES.indexOf(word) + count) % count;
  const difficulties = new Set(challenges.flatMap(({ difficulty }) => difficulty ?? []));
  const tags = new Set(challenges.flatMap(({ tags = [] }) => tags));
  return {
    difficulties: [...difficulties].sort((a, b) => place(a) - place(b)),
    tags: [...tags].sort((a, b) => a.localeCompare(b)),
  };
}

function matchesFilters(challenge: Named, wish: Wish): boolean {
  const { q, show, keep, tag } = wish;
  if (challenge.id === keep) return true;
  const { difficulty = "", tags = [] } = challenge;
  if (wish.difficulty !== undefined && wish.difficulty !== difficulty) return false;
  if (tag !== undefined && !tags.includes(tag)) return false;
  if (show !== "all" && challenge.solved !== (show === "solved")) return false;
  const wanted = folded(q);
  if (wanted === "") return true;
  const text = challenge.description.replace(/<[^>]*>/g, " ");
  const { challengeName, categories } = challenge;
  const searched = [challengeName, ...categories, difficulty, ...tags, text];
  return folded(searched.join("\n")).includes(wanted);
}

function inOrder<T extends Named>(challenges: readonly T[], order: Order): T[] {
  const worth = (one: T) => pointsOf(one, one.solved_pos ?? undefined);
  // The sort is stable: ties keep their order.
  if (order === "points") return [...challenges].sort((a, b) => worth(a) - worth(b));
  return [...challenges].sort((a, b) => b.nsolves - a.nsolves);
}

/**
 * The sections to show. By category: one per first category, with the progress in all of it. By
 * points (lowest first) or solves (most first): a single section.
 */
export function sectionsOf<T extends Named>(challenges: readonly T[], wish: Wish): Section<T>[] {
  const section = (category: string | null, members: readonly T[]): Section<T> => ({
    category,
    challenges: members.filter((one) => matchesFilters(one, wish)),
    solved: members.filter(({ solved }) => solved).length,
    all: members.length,
  });
  const sections =
    wish.order === "place"
      ? groupByCategory(challenges).map((group) => section(group.category, group.challenges))
      : [section(null, inOrder(challenges, wish.order))];
  return sections.filter(({ challenges: shown }) => shown.length > 0);
}
