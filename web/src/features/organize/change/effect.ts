/** Who moves on the board, in figures for a sentence. */
import type { TeamMove } from "../../../api/organize-lists";

export interface Moves {
  /** How many rise and fall, and whether each does so by one. */
  readonly rise: number;
  readonly risesByOne: boolean;
  readonly fall: number;
  readonly fallsByOne: boolean;
}

/** By how many places each rises; those that come or go are not counted. */
function steps(moves: readonly TeamMove[]): number[] {
  return moves.flatMap(({ from, to }) => (from && to ? [from.rank - to.rank] : []));
}

/** The moves of the others: what the act does to its own team is what it says. */
export function movesOf(moves: readonly TeamMove[], object?: string): Moves {
  const all = steps(moves.filter(({ teamName }) => teamName !== object));
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
