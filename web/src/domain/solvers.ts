/** The solvers of a challenge, and the first bloods to announce. */
import type { Board, BoardChallenge, Solve, Team } from "./board";

type Named = Pick<Team, "teamName" | "country">;
export type Solver = Named & Solve;

/** The teams that solved a challenge, in order. */
export function solversOf(board: Board, challengeId: string): Solver[] {
  const solvers: Solver[] = [];
  for (const { teamName, country, solves } of board.teams) {
    const solve = solves.get(challengeId);
    if (solve) solvers.push({ teamName, country, ...solve });
  }
  return solvers.sort((a, b) => a.position - b.position);
}

/** A first blood to announce. */
export interface FirstBlood extends Named {
  readonly challengeId: string;
  readonly challengeName: string;
}

/** Maximum age of an announced first blood: older ones appear after a sleep or the reveal. */
const NEWS_MS_MAX = 60_000;

function bloodKey({ id, fbTs }: BoardChallenge): string {
  return `${fbTs} ${id}`;
}

function isNews({ fbTs }: BoardChallenge, nowMs: number): boolean {
  return nowMs - fbTs * 1000 <= NEWS_MS_MAX;
}

/**
 * The first bloods of the board that are not in `seen`, and the new `seen`. Null means that the
 * board is the first snapshot: all its first bloods become seen without an announcement. During the
 * freeze nothing is announced, because the board lacks solves of others, and a team's own solve may
 * not be the first.
 */
export function freshFirstBloods(
  seen: ReadonlySet<string> | null,
  board: Board,
  nowMs: number,
  isFrozen: boolean,
): { seen: ReadonlySet<string>; fresh: FirstBlood[] } {
  const solved = board.challenges.filter(({ nsolves }) => nsolves > 0);
  const unseen = solved.filter((challenge) => !seen?.has(bloodKey(challenge)));
  if (seen && unseen.length === 0) return { seen, fresh: [] };
  const known = new Set([...(seen ?? []), ...unseen.map(bloodKey)]);
  const news =
    seen === null || isFrozen ? [] : unseen.filter((challenge) => isNews(challenge, nowMs));
  const fresh = news.flatMap(({ id, challengeName }): FirstBlood[] => {
    const [first] = solversOf(board, id);
    if (!first) return [];
    const { teamName, country } = first;
    return [{ challengeId: id, challengeName, teamName, country }];
  });
  return { seen: known, fresh };
}
