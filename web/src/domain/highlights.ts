/** Highlights of a public board for the home page: its figures, categories and latest solves. */
import type { Board, Team } from "./board";
import { publicCounts } from "./challenges";

/** The code of teams without a country. */
const NO_COUNTRY = "UN";

/** The board as visitors see it: without the viewer's own solves since the freeze. */
export function publicBoard(board: Board, ownTeam: string | null): Board {
  const own = board.teams.find(({ teamName }) => teamName === ownTeam);
  const later = new Set(
    [...(own?.solves ?? [])].filter(([, { later }]) => later).map(([id]) => id),
  );
  if (!own || later.size === 0) return board;
  const solves = new Map([...own.solves].filter(([id]) => !later.has(id)));
  const lastSolveTs = Math.max(0, ...[...solves.values()].map(({ ts }) => ts));
  return {
    ...board,
    challenges: board.challenges.map((one) =>
      later.has(one.id) ? { ...one, ...publicCounts(one) } : one,
    ),
    teams: board.teams.map((team) => (team === own ? { ...own, solves, lastSolveTs } : team)),
  };
}

/** Numbers of teams, their countries, challenges, solves and first bloods. */
export function figuresOf({ teams, challenges }: Board) {
  const countries = new Set(teams.map(({ country }) => country));
  countries.delete(NO_COUNTRY);
  return {
    teams: teams.length,
    countries: countries.size,
    challenges: challenges.length,
    solves: challenges.reduce((sum, { nsolves }) => sum + nsolves, 0),
    firstBloods: challenges.filter(({ nsolves }) => nsolves > 0).length,
  };
}

/** A solve with its names. `ts` in epoch seconds. */
export interface LatestSolve {
  readonly teamName: string;
  readonly challengeId: string;
  readonly challengeName: string;
  readonly isFirst: boolean;
  readonly ts: number;
}

/**
 * The latest solves, newest first. Reads only the teams that solved last, because a board has tens
 * of thousands of solves.
 */
export function latestSolves({ teams, challenges }: Board, count: number): LatestSolve[] {
  const names = new Map(challenges.map(({ id, challengeName }) => [id, challengeName]));
  const byTime = (a: { lastSolveTs: number }, b: { lastSolveTs: number }) =>
    b.lastSolveTs - a.lastSolveTs;
  const last = [...teams].sort(byTime).slice(0, count);
  return last
    .flatMap((team) => solvesOf(team, names))
    .sort((a, b) => b.ts - a.ts)
    .slice(0, count);
}

function solvesOf({ teamName, solves }: Team, names: ReadonlyMap<string, string>): LatestSolve[] {
  return [...solves].map(([challengeId, { ts, position }]) => {
    const challengeName = names.get(challengeId) ?? challengeId;
    return { teamName, challengeId, challengeName, isFirst: position === 1, ts };
  });
}
