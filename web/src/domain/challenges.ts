/** The challenge list combined with the team's row: solved state, filters, reasons to refetch. */
import type { components } from "../api/schema";
import { type Board, groupByCategory, type Team } from "./board";

type Challenge = components["schemas"]["Challenge"];

/** The fields of a challenge that the derivations need. */
export type Listed = Pick<
  Challenge,
  "id" | "categories" | "locked" | "requirements" | "nsolves" | "fbTs" | "practicedAt"
>;

/** A challenge with the values derived from the team's row. */
export type Derived<T extends Listed> = T & {
  /** True also for a solve after the end, which is in no row. */
  solved: boolean;
  /** True for a solve after the end, which does not count. */
  isPractice: boolean;
  /** True for a solve during the freeze: its position and points are known after the reveal. */
  sealed: boolean;
  solved_pos: number | null;
  solved_ts: number | null;
};

/** The team's row by name; null when logged out or not on the board. */
export function ownRow(board: Board | null | undefined, ownTeam: string | null): Team | null {
  if (!board || ownTeam === null) return null;
  return board.teams.find((team) => team.teamName === ownTeam) ?? null;
}

/** True if the team's row has solves that the freeze hides from others. */
export function hasLaterSolve(team: Pick<Team, "solves"> | null): boolean {
  return [...(team?.solves.values() ?? [])].some(({ later }) => later === true);
}

/** The counts of a challenge without the team's own sealed solve, which comes last. */
export function publicCounts({ nsolves, fbTs }: Pick<Listed, "nsolves" | "fbTs">) {
  return { nsolves: Math.max(0, nsolves - 1), fbTs: nsolves > 1 ? fbTs : 0 };
}

/**
 * Adds `solved`, `sealed`, `solved_pos`, `solved_ts` and the counts of the board, which are newer.
 * A sealed solve is not counted.
 */
export function deriveChallenges<T extends Listed>(
  challenges: readonly T[],
  board: Board | null | undefined,
  own: Team | null,
): Derived<T>[] {
  const live = new Map(board?.challenges.map((challenge) => [challenge.id, challenge]));
  return challenges.map((challenge) => {
    const solve = own?.solves.get(challenge.id);
    const { nsolves, fbTs } = live.get(challenge.id) ?? challenge;
    const sealed = solve?.later === true;
    const isPractice = solve === undefined && typeof challenge.practicedAt === "number";
    return {
      ...challenge,
      ...(sealed ? publicCounts({ nsolves, fbTs }) : { nsolves, fbTs }),
      solved: solve !== undefined || isPractice,
      isPractice,
      sealed,
      solved_pos: solve?.position ?? null,
      solved_ts: solve?.ts ?? null,
    };
  });
}

/** The distinct categories in order of first appearance. */
export function distinctCategories(challenges: readonly Listed[]): string[] {
  return [...new Set(challenges.flatMap((challenge) => challenge.categories))];
}

/** Drops challenges whose categories are all hidden; those without a category are kept. */
export function withoutHidden<T extends Listed>(
  challenges: readonly T[],
  hidden: ReadonlySet<string>,
): T[] {
  return challenges.filter(
    ({ categories }) =>
      categories.length === 0 || categories.some((category) => !hidden.has(category)),
  );
}

/** The team's progress by first category. */
export function progressOf(board: Board, own: Team | null) {
  return groupByCategory(board.challenges).map(({ category, challenges }) => ({
    category,
    solved: challenges.filter(({ id }) => own?.solves.has(id)).length,
    all: challenges.length,
  }));
}

/**
 * The reason to refetch the list, as a string. The caller refetches once per distinct reason, so
 * there is no loop. Null if there is no reason.
 */
export function refetchReason(
  challenges: readonly Listed[],
  board: Board | null | undefined,
  own: Team | null,
): string | null {
  if (!board) return null;
  const unlocked = challenges.filter(
    ({ locked, requirements }) =>
      locked && own !== null && requirements.every((id) => own.solves.has(id)),
  );
  if (unlocked.length > 0) {
    return `unlocked ${unlocked.map(({ id }) => id).join(" ")} at ${own?.solves.size}`;
  }
  const listed = new Set(challenges.map(({ id }) => id));
  const live = board.challenges.map(({ id }) => id);
  const same = live.length === listed.size && live.every((id) => listed.has(id));
  return same ? null : `set ${live.sort().join(" ")}`;
}
