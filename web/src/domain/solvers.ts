/** Who solved a challenge, and which first solves are news. */
import type { Board, BoardChallenge } from "./board";

export interface Solver {
  readonly teamName: string;
  readonly country: string;
  readonly position: number;
  /** Epoch seconds. */
  readonly ts: number;
}

/** The teams that solved a challenge, in the order in which they did. */
export function solversOf(board: Board, challengeId: string): Solver[] {
  const solvers: Solver[] = [];
  for (const { teamName, country, solves } of board.teams) {
    const solve = solves.get(challengeId);
    if (solve) solvers.push({ teamName, country, ...solve });
  }
  return solvers.sort((a, b) => a.position - b.position);
}

/** A challenge's first solve, as news. */
export interface FirstBlood {
  readonly challengeId: string;
  readonly challengeName: string;
  readonly teamName: string;
  readonly country: string;
}

/** Older than this it is no news any more: the machine slept, or the freeze was lifted. */
const NEWS_MS_MAX = 60_000;

function bloodKey({ id, fbTs }: BoardChallenge): string {
  return `${fbTs} ${id}`;
}

function isNews({ fbTs }: BoardChallenge, nowMs: number): boolean {
  return nowMs - fbTs * 1000 <= NEWS_MS_MAX;
}

/**
 * The first solves that this board brings and `seen` does not know, and what is seen after it.
 * With nothing seen yet (null) the board is the first snapshot: all of it is known, none is news.
 */
export function freshFirstBloods(
  seen: ReadonlySet<string> | null,
  board: Board,
  nowMs: number,
): { seen: ReadonlySet<string>; fresh: FirstBlood[] } {
  const solved = board.challenges.filter(({ nsolves }) => nsolves > 0);
  const unseen = solved.filter((challenge) => !seen?.has(bloodKey(challenge)));
  if (seen && unseen.length === 0) return { seen, fresh: [] };
  const known = new Set([...(seen ?? []), ...unseen.map(bloodKey)]);
  const news = seen === null ? [] : unseen.filter((challenge) => isNews(challenge, nowMs));
  const fresh = news.flatMap(({ id, challengeName }): FirstBlood[] => {
    const [first] = solversOf(board, id);
    if (!first) return [];
    const { teamName, country } = first;
    return [{ challengeId: id, challengeName, teamName, country }];
  });
  return { seen: known, fresh };
}
