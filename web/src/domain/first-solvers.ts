/** First solvers of a division, beside the first bloods of the event. Pure. */
import type { Board } from "./board";

/** The first solvers of a challenge: a team's name, or null if there is none. */
export interface Firsts {
  readonly id: string;
  readonly challengeName: string;
  /** First blood of the event. */
  readonly event: string | null;
  /** First solver in the division. */
  readonly division: string | null;
}

/** The first solvers of all challenges with a solve, in the order of the board. */
export function firstSolvers(board: Board, division: string): Firsts[] {
  const firsts = board.challenges.map(({ id, challengeName }) => {
    const solvers = board.teams
      .flatMap((team) => {
        const position = team.solves.get(id)?.position;
        return position === undefined ? [] : [{ team, position }];
      })
      .sort((a, b) => a.position - b.position);
    const own = solvers.find(({ team }) => team.divisions?.includes(division));
    return {
      id,
      challengeName,
      event: solvers[0]?.team.teamName ?? null,
      division: own?.team.teamName ?? null,
    };
  });
  return firsts.filter(({ event }) => event !== null);
}
