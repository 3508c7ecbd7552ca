/** Scores and ranks at earlier times, replayed from a board. Awards count from the start. */
import { type Board, type BoardChallenge, compareStandings, type Solve, type Team } from "./board";
import { pointsOf } from "./points";

/** Evenly spaced times in epoch seconds, both ends included. */
interface Span {
  readonly fromTs: number;
  readonly toTs: number;
  readonly count: number;
}

/** Returns the index of the first time that is not before `ts`, which can be `count`. */
function placeOf({ fromTs, toTs, count }: Span, ts: number): number {
  if (ts <= fromTs) return 0;
  if (ts > toTs) return count;
  return Math.ceil(((ts - fromTs) * (count - 1)) / (toTs - fromTs));
}

/** Value of each challenge at each time. It depends on the number of solves until then. */
function valuesOver(board: Board, span: Span): ReadonlyMap<string, readonly number[]> {
  const counts = new Map(board.challenges.map(({ id }) => [id, new Uint32Array(span.count + 1)]));
  for (const { solves } of board.teams) {
    for (const [id, { ts }] of solves) {
      const added = counts.get(id);
      const place = placeOf(span, ts);
      if (added) added[place] = (added[place] ?? 0) + 1;
    }
  }
  const values = board.challenges.map((challenge) => {
    let nsolves = 0;
    const added = [...(counts.get(challenge.id) ?? [])].slice(0, span.count);
    const over = added.map((more) => {
      nsolves += more;
      return pointsOf({ ...challenge, nsolves });
    });
    return [challenge.id, over] as const;
  });
  return new Map(values);
}

/** The scores of a board's teams at evenly spaced times. A team is computed when first read. */
export class Past {
  readonly #challenges: ReadonlyMap<string, BoardChallenge>;
  readonly #span: Span;
  readonly #values: ReadonlyMap<string, readonly number[]>;
  readonly #teams: ReadonlyMap<string, Team>;
  readonly #scores = new Map<string, readonly number[]>();

  constructor(board: Board, fromTs: number, toTs: number, count: number) {
    this.#challenges = new Map(board.challenges.map((one) => [one.id, one]));
    this.#span = { fromTs, toTs: Math.max(fromTs, toTs), count };
    this.#values = valuesOver(board, this.#span);
    this.#teams = new Map(board.teams.map((team) => [team.teamName, team]));
  }

  /** Scores of a team; none if the board does not have it. */
  scoresOf(teamName: string): readonly number[] {
    const known = this.#scores.get(teamName);
    if (known) return known;
    const team = this.#teams.get(teamName);
    const scores = team ? this.#scoresOf(team) : [];
    this.#scores.set(teamName, scores);
    return scores;
  }

  #scoresOf({ solves, award }: Team): readonly number[] {
    const scores = Array.from({ length: this.#span.count }, () => award);
    for (const [id, solve] of solves) {
      const values = this.#values.get(id);
      const challenge = this.#challenges.get(id);
      if (!values || !challenge) continue;
      const isSpeedrun = challenge.challengeType === "speedrun";
      for (let place = placeOf(this.#span, solve.ts); place < scores.length; place += 1) {
        const value = isSpeedrun ? pointsOf(challenge, solve.position) : (values[place] ?? 0);
        scores[place] = (scores[place] ?? 0) + value;
      }
    }
    return scores;
  }
}

/** Value of each challenge at `ts`; of a speedrun, the value of each position. */
function valuesAt(board: Board, ts: number): ReadonlyMap<string, (solve: Solve) => number> {
  const counts = new Map<string, number>();
  for (const { solves } of board.teams) {
    for (const [id, solve] of solves) {
      if (solve.ts <= ts) counts.set(id, (counts.get(id) ?? 0) + 1);
    }
  }
  const values = board.challenges.map((challenge) => {
    if (challenge.challengeType === "speedrun") {
      return [challenge.id, ({ position }: Solve) => pointsOf(challenge, position)] as const;
    }
    const value = pointsOf({ ...challenge, nsolves: counts.get(challenge.id) ?? 0 });
    return [challenge.id, () => value] as const;
  });
  return new Map(values);
}

/** Ranks at `ts` of the teams that had points then. */
export function ranksAt(board: Board, ts: number): ReadonlyMap<string, number> {
  const values = valuesAt(board, ts);
  const standings = board.teams.flatMap(({ teamName, solves, award }) => {
    let points = award;
    let lastSolveTs = 0;
    for (const [id, solve] of solves) {
      if (solve.ts > ts) continue;
      points += values.get(id)?.(solve) ?? 0;
      lastSolveTs = Math.max(lastSolveTs, solve.ts);
    }
    return points > 0 ? [{ teamName, points, lastSolveTs }] : [];
  });
  return new Map(standings.sort(compareStandings).map(({ teamName }, at) => [teamName, at + 1]));
}
