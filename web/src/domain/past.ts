/** Scores and ranks at earlier times, replayed from a board. Awards count from the start. */
import { type Board, type BoardChallenge, compareStandings, type Team } from "./board";
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

/** Times of all solves of each challenge, in no order. */
function solveTimes({ challenges, teams }: Board): ReadonlyMap<string, readonly number[]> {
  const times = new Map<string, number[]>(challenges.map(({ id }) => [id, []]));
  // `forEach` allocates nothing per solve. Large boards have a hundred thousand of them.
  for (const { solves } of teams) {
    solves.forEach(({ ts }, id) => {
      times.get(id)?.push(ts);
    });
  }
  return times;
}

/** Value of a challenge at each time. It depends on the number of solves until then. */
function valuesOver(challenge: BoardChallenge, times: readonly number[], span: Span): number[] {
  const added = new Uint32Array(span.count + 1);
  for (const ts of times) {
    const place = placeOf(span, ts);
    added[place] = (added[place] ?? 0) + 1;
  }
  let nsolves = 0;
  return Array.from(added.subarray(0, span.count), (more) => {
    nsolves += more;
    return pointsOf({ ...challenge, nsolves });
  });
}

/** The past of one board. */
export class Past {
  readonly #board: Board;
  readonly #times: ReadonlyMap<string, readonly number[]>;
  readonly #races: ReadonlyMap<string, BoardChallenge>;

  constructor(board: Board) {
    this.#board = board;
    this.#times = solveTimes(board);
    const isRace = ({ challengeType }: BoardChallenge) => challengeType === "speedrun";
    this.#races = new Map(board.challenges.filter(isRace).map((one) => [one.id, one]));
  }

  #valuesOver(span: Span): ReadonlyMap<string, readonly number[]> {
    return new Map(
      this.#board.challenges.map((one) => {
        return [one.id, valuesOver(one, this.#times.get(one.id) ?? [], span)];
      }),
    );
  }

  /** Points of a speedrun's solve, which its position decides; undefined for other challenges. */
  #racePoints(id: string, position: number): number | undefined {
    const race = this.#races.get(id);
    return race && pointsOf(race, position);
  }

  /** Ranks at `ts` of the teams that had points then. */
  ranksAt(ts: number): ReadonlyMap<string, number> {
    const values = this.#valuesOver({ fromTs: ts, toTs: ts, count: 1 });
    const standings = this.#board.teams.map(({ teamName, solves, award }) => {
      let points = award;
      let lastSolveTs = 0;
      solves.forEach((solve, id) => {
        if (solve.ts > ts) return;
        points += this.#racePoints(id, solve.position) ?? values.get(id)?.[0] ?? 0;
        lastSolveTs = Math.max(lastSolveTs, solve.ts);
      });
      return { teamName, points, lastSolveTs };
    });
    const ranked = standings.filter(({ points }) => points > 0).sort(compareStandings);
    return new Map(ranked.map(({ teamName }, at) => [teamName, at + 1]));
  }

  /**
   * Returns the scores of a team at evenly spaced times; none if the board does not have it. Each
   * team is computed when it is first asked for.
   */
  scoresOver(fromTs: number, toTs: number, count: number): (teamName: string) => readonly number[] {
    const span = { fromTs, toTs: Math.max(fromTs, toTs), count };
    const values = this.#valuesOver(span);
    const teams = new Map(this.#board.teams.map((team) => [team.teamName, team]));
    const known = new Map<string, readonly number[]>();
    return (teamName) => {
      const team = teams.get(teamName);
      if (!team) return [];
      const scores = known.get(teamName) ?? this.#scoresOf(team, values, span);
      known.set(teamName, scores);
      return scores;
    };
  }

  #scoresOf(
    { solves, award }: Team,
    values: ReadonlyMap<string, readonly number[]>,
    span: Span,
  ): readonly number[] {
    const scores = Array.from({ length: span.count }, () => award);
    for (const [id, { ts, position }] of solves) {
      const racePoints = this.#racePoints(id, position);
      for (let place = placeOf(span, ts); place < scores.length; place += 1) {
        scores[place] = (scores[place] ?? 0) + (racePoints ?? values.get(id)?.[place] ?? 0);
      }
    }
    return scores;
  }
}
