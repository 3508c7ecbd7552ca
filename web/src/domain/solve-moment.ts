/** The moment of a solve: points and ranks gained, challenges unlocked, and the next one to try. */
import { type Board, type RankedTeam, rankTeams, type Team } from "./board";
import type { Derived, Listed } from "./challenges";
import { canFall, pointsOf } from "./points";

function without(board: Board, own: Team, challengeId: string): Board {
  const others = [...own.solves].filter(([id]) => id !== challengeId);
  const before: Team = {
    ...own,
    solves: new Map(others),
    lastSolveTs: others.reduce((latest, [, { ts }]) => Math.max(latest, ts), 0),
  };
  return {
    ...board,
    challenges: board.challenges.map((one) =>
      one.id === challengeId ? { ...one, nsolves: Math.max(0, one.nsolves - 1) } : one,
    ),
    teams: board.teams.map((team) => (team === own ? before : team)),
  };
}

/** The points between a team and the next one: above it, or below it if it leads. */
export interface Gap {
  readonly points: number;
  readonly teamName: string;
  readonly isLead: boolean;
}

/** The gap of a team in a ranking; null for the only team. */
export function gapOf(ranked: readonly RankedTeam[], teamName: string): Gap | null {
  const at = ranked.findIndex(({ team }) => team.teamName === teamName);
  const own = ranked[at];
  const isLead = at === 0;
  const other = ranked[isLead ? 1 : at - 1];
  if (!own || !other) return null;
  const points = Math.abs(other.points - own.points);
  return { points, teamName: other.team.teamName, isLead };
}

/** The gain of a solve during the freeze. */
export interface SealedGain {
  readonly isSealed: true;
  readonly points: number;
  /** True if hidden solves of others can lower the points. */
  readonly canFall: boolean;
}

/** The gain of a solve that everyone sees. */
export interface OpenGain {
  readonly isSealed: false;
  readonly points: number;
  readonly rank: number;
  /** Ranks gained. */
  readonly up: number;
  /** True if no team solved the challenge earlier. */
  readonly isFirst: boolean;
  readonly gap: Gap | null;
}

/**
 * Points and ranks gained by a solve. Compares the board with and without the solve, so that
 * concurrent solves of others have no effect. Null while the board lacks the solve.
 */
export function solveGain(
  board: Board | null,
  own: Team | null,
  challengeId: string,
): OpenGain | SealedGain | null {
  const solve = own?.solves.get(challengeId);
  const challenge = board?.challenges.find(({ id }) => id === challengeId);
  if (!board || !own || !solve || !challenge) return null;
  if (solve.later) {
    const points = pointsOf(challenge, solve.position);
    return { isSealed: true, points, canFall: canFall(challenge) };
  }
  const isOwn = ({ team }: RankedTeam) => team.teamName === own.teamName;
  const ranked = rankTeams(board);
  const after = ranked.find(isOwn);
  const before = rankTeams(without(board, own, challengeId)).find(isOwn);
  if (!after || !before) return null;
  return {
    isSealed: false,
    points: after.points - before.points,
    rank: after.rank,
    up: Math.max(0, before.rank - after.rank),
    isFirst: solve.position === 1,
    gap: gapOf(ranked, own.teamName),
  };
}

/** The team's progress in the first category of a challenge, with that challenge solved. */
export function categoryAfter(challenges: readonly Derived<Listed>[], id: string) {
  const category = challenges.find((one) => one.id === id)?.categories[0];
  if (category === undefined) return null;
  const members = challenges.filter(({ categories }) => categories[0] === category);
  const solved = members.filter((one) => one.solved || one.id === id).length;
  return { category, solved, all: members.length };
}

/** The unsolved challenges that require this one and are now unlocked. */
export function unlockedBy<T extends Derived<Listed>>(challenges: readonly T[], id: string): T[] {
  const open = new Set(challenges.filter(({ solved }) => solved).map((one) => one.id));
  open.add(id);
  return challenges.filter(
    ({ requirements, solved }) =>
      !solved && requirements.includes(id) && requirements.every((one) => open.has(one)),
  );
}

interface Playable extends Listed {
  status: string;
  closes?: number | undefined;
}

/**
 * The next challenge to try: the next one of the same category in list order, wrapping around;
 * otherwise the most solved one. Skips locked, broken and closed challenges.
 */
export function nextChallenge<T extends Derived<Playable>>(
  challenges: readonly T[],
  id: string,
  nowMs: number,
): T | null {
  const at = challenges.findIndex((one) => one.id === id);
  const fits = (one: T) =>
    one.id !== id &&
    !one.solved &&
    !one.locked &&
    one.status !== "broken" &&
    (one.closes ?? Number.POSITIVE_INFINITY) > nowMs;
  const category = challenges[at]?.categories[0];
  const below = [...challenges.slice(at + 1), ...challenges.slice(0, Math.max(0, at))].filter(fits);
  const same = below.find((one) => one.categories[0] === category);
  if (same) return same;
  const most = challenges.filter(fits).sort((a, b) => b.nsolves - a.nsolves);
  return most[0] ?? null;
}
