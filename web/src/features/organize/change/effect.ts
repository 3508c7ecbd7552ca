/** Rank changes, summarized for a sentence. */
import type { TeamMove } from "../../../api/organize-lists";
import type { Scored } from "../../../messages/organize/effect-en";

/**
 * Rank and point changes of the other teams. The action's own team is excluded, because the action
 * already names it.
 */
function steps(moves: readonly TeamMove[], object?: string) {
  return moves.flatMap(({ teamName, from, to }) => {
    // Teams that enter or leave the scoreboard are not counted.
    if (!from || !to || teamName === object) return [];
    return [{ teamName, places: from.rank - to.rank, points: to.points - from.points }];
  });
}

function scored(all: ReturnType<typeof steps>, sign: 1 | -1): Scored {
  const those = all.filter(({ points }) => points * sign > 0);
  const most = Math.max(0, ...those.map(({ points }) => points * sign));
  return {
    teams: those.map(({ teamName }) => teamName),
    points: most,
    isSame: those.every(({ points }) => points * sign === most),
    moving: those.filter(({ places }) => places * sign > 0).length,
  };
}

/** Summary of other teams whose points change. */
export function pointsOf(moves: readonly TeamMove[], object?: string) {
  const all = steps(moves, object);
  return { gain: scored(all, 1), lose: scored(all, -1) };
}

/** Number of other teams that change rank with the same points, and if each moves by one. */
export function movesOf(moves: readonly TeamMove[], object?: string) {
  const still = steps(moves, object).filter(({ points }) => points === 0);
  const all = still.map(({ places }) => places);
  const up = all.filter((step) => step > 0);
  const down = all.filter((step) => step < 0);
  return {
    rise: up.length,
    risesByOne: up.every((step) => step === 1),
    fall: down.length,
    fallsByOne: down.every((step) => step === -1),
  };
}

/** Numbers of teams that leave and enter the scoreboard. */
export function crossingsOf(moves: readonly TeamMove[]) {
  return {
    left: moves.filter(({ from, to }) => from && !to).length,
    entered: moves.filter(({ from, to }) => !from && to).length,
  };
}

export interface Row {
  readonly teamName: string;
  readonly truth: TeamMove | undefined;
  readonly shown: TeamMove | undefined;
}

/** Rank changes for display. */
export interface Changes {
  /** Teams that enter or leave the scoreboard. */
  readonly crossing: readonly Row[];
  /** Other teams: those whose points change, then by rank. */
  readonly moving: readonly Row[];
  /** True if the unfrozen ranks are shown. */
  readonly hasTruth: boolean;
  /** True if the public ranks are shown: they differ, or the reader has no others. */
  readonly hasPublic: boolean;
}

export function pointsGained({ from, to }: TeamMove): number {
  return from && to ? to.points - from.points : 0;
}

export function stepOf({ from, to }: TeamMove): "up" | "down" | "same" {
  if (!from || !to || from.rank === to.rank) return "same";
  return to.rank < from.rank ? "up" : "down";
}

const moveOf = ({ truth, shown }: Row) => truth ?? shown;

function isCrossing({ truth, shown }: Row): boolean {
  return [truth, shown].some((move) => move && !(move.from && move.to));
}

/** Teams with the largest change of points first, then by rank. */
function byWeight(one: Row, other: Row): number {
  const gained = (row: Row) => {
    const move = moveOf(row);
    return move ? Math.abs(pointsGained(move)) : 0;
  };
  const rank = (row: Row) => (moveOf(row)?.to ?? moveOf(row)?.from)?.rank ?? 0;
  return gained(other) - gained(one) || rank(one) - rank(other);
}

/** Unfrozen ranks, and the public ones where they differ. */
export function changesOf(
  truth: readonly TeamMove[] | null | undefined,
  shown: readonly TeamMove[],
): Changes {
  const isSame = truth && JSON.stringify(truth) === JSON.stringify(shown);
  const publicMoves = isSame ? [] : shown;
  const shownOf = new Map(publicMoves.map((move) => [move.teamName, move]));
  const truthOf = new Map((truth ?? []).map((move) => [move.teamName, move]));
  const names = new Set([...truthOf.keys(), ...shownOf.keys()]);
  const rows = [...names].map((teamName) => ({
    teamName,
    truth: truthOf.get(teamName),
    shown: shownOf.get(teamName),
  }));
  return {
    crossing: rows.filter(isCrossing).toSorted(byWeight),
    moving: rows.filter((row) => !isCrossing(row)).toSorted(byWeight),
    hasTruth: truthOf.size > 0,
    hasPublic: shownOf.size > 0,
  };
}
