/** The moment of a solve: what it brought, what it unlocked, and what to try next. */
import { type Board, rankTeams, type Team } from "./board";
import type { Derived, Listed } from "./challenges";

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

/**
 * What a solve brought its team: the board beside the one without that solve, so that solves of
 * others which arrive meanwhile change nothing. Null while the board does not have the solve.
 */
export function gainOf(board: Board | null, own: Team | null, challengeId: string) {
  if (!board || !own?.solves.has(challengeId)) return null;
  const place = (one: Board) =>
    rankTeams(one).find(({ team }) => team.teamName === own.teamName) ?? null;
  const after = place(board);
  const before = place(without(board, own, challengeId));
  if (!after || !before) return null;
  const points = after.points - before.points;
  // In the freeze others' hidden solves decide on the place.
  if (own.solves.get(challengeId)?.later) return { points, rank: null };
  return { points, rank: after.rank, up: Math.max(0, before.rank - after.rank) };
}

/** The challenges that required this one, and require nothing unsolved any more. */
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
 * The next challenge to try: the next one of the same category in the list's order, from its
 * beginning if there is none below; else the most solved one of all. Never one that is locked,
 * broken or closed.
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
