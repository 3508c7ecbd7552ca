/** The challenge list with the team's row: what is solved, what to show, when to refetch. */
import type { components } from "../api/schema";
import { type Board, groupByCategory, type Team } from "./board";

type Challenge = components["schemas"]["Challenge"];

/** The fields of a challenge that the derivations need. */
export type Listed = Pick<
  Challenge,
  "id" | "categories" | "locked" | "requirements" | "nsolves" | "fbTs"
>;

/** A challenge with what the client derives from its row on the board. */
export type Derived<T extends Listed> = T & {
  solved: boolean;
  solved_pos: number | null;
  solved_ts: number | null;
};

/** The team's row by name; null when logged out or not on the board. */
export function ownRow(board: Board | null | undefined, ownTeam: string | null): Team | null {
  if (!board || ownTeam === null) return null;
  return board.teams.find((team) => team.teamName === ownTeam) ?? null;
}

/** True if the team's row has solves of its own that the freeze hides from others. */
export function hasLaterSolve(team: Pick<Team, "solves"> | null): boolean {
  return [...(team?.solves.values() ?? [])].some(({ later }) => later === true);
}

/** Adds `solved`, `solved_pos`, `solved_ts` and the board's fresher counts. */
export function deriveChallenges<T extends Listed>(
  challenges: readonly T[],
  board: Board | null | undefined,
  own: Team | null,
): Derived<T>[] {
  const live = new Map(board?.challenges.map((challenge) => [challenge.id, challenge]));
  return challenges.map((challenge) => {
    const solve = own?.solves.get(challenge.id);
    const counts = live.get(challenge.id);
    return {
      ...challenge,
      nsolves: counts?.nsolves ?? challenge.nsolves,
      fbTs: counts?.fbTs ?? challenge.fbTs,
      solved: solve !== undefined,
      solved_pos: solve?.position ?? null,
      solved_ts: solve?.ts ?? null,
    };
  });
}

/** Every distinct category in order of first appearance. */
export function distinctCategories(challenges: readonly Listed[]): string[] {
  return [...new Set(challenges.flatMap((challenge) => challenge.categories))];
}

/** Without the challenges whose categories are all hidden; one without a category always shows. */
export function withoutHidden<T extends Listed>(
  challenges: readonly T[],
  hidden: ReadonlySet<string>,
): T[] {
  return challenges.filter(
    ({ categories }) =>
      categories.length === 0 || categories.some((category) => !hidden.has(category)),
  );
}

/** How many challenges of each first category the team has solved. */
export function progressOf(board: Board, own: Team | null) {
  return groupByCategory(board.challenges).map(({ category, challenges }) => ({
    category,
    solved: challenges.filter(({ id }) => own?.solves.has(id)).length,
    all: challenges.length,
  }));
}

/**
 * The reason to refetch the list, as a text that is equal for equal reasons: the caller refetches
 * once per reason, so never in a loop. Null if there is none.
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
