/** Who moves on the board, in figures for a sentence. */
import type { TeamMove } from "../../../api/organize-lists";
import type { Scored } from "../../../messages/organize/effect-en";

/**
 * By how many places the other teams rise, and how many points they gain: what the action does to
 * its own team is what it says.
 */
function steps(moves: readonly TeamMove[], object?: string) {
  return moves.flatMap(({ teamName, from, to }) => {
    // Those that come or go are not counted.
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

/** The other teams whose points change. */
export function pointsOf(moves: readonly TeamMove[], object?: string) {
  const all = steps(moves, object);
  return { gain: scored(all, 1), lose: scored(all, -1) };
}

/** How many of the other teams that keep their points move, and whether each does so by one. */
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

export interface Row {
  readonly teamName: string;
  readonly truth: TeamMove | undefined;
  readonly shown: TeamMove | undefined;
}

/** The truth beside what players see, the top of the list first. */
export function rowsOf(truth: readonly TeamMove[], shown: readonly TeamMove[]): readonly Row[] {
  const shownOf = new Map(shown.map((move) => [move.teamName, move]));
  const known = new Set(truth.map(({ teamName }) => teamName));
  return [
    ...truth.map((move) => ({
      teamName: move.teamName,
      truth: move,
      shown: shownOf.get(move.teamName),
    })),
    ...shown
      .filter(({ teamName }) => !known.has(teamName))
      .map((move) => ({ teamName: move.teamName, truth: undefined, shown: move })),
  ];
}
