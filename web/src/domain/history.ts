/** Score over time, replayed from a board, which has every solve with its time and position. */
import type { Board, BoardChallenge, Solve, Team } from "./board";
import { pointsOf } from "./points";

/** Points as of `ts` (epoch seconds). */
export interface ScorePoint {
  readonly ts: number;
  readonly points: number;
}

/** A team's score from the start to the board's last solve, ending at the current score. */
export interface ScoreLine {
  readonly name: string;
  readonly points: readonly ScorePoint[];
}

/** Time shown before a late first solve: a share of the time after it, with a minimum. */
const MARGIN_SHARE = 0.05;
const MARGIN_S_MIN = 60;

type Step = Solve & { readonly challenge: BoardChallenge; readonly team: Team };

/** State of a team during the replay. */
interface TeamReplay {
  readonly team: Team;
  readonly held: Set<string>;
  readonly points: ScorePoint[];
}

/** Every solve of a challenge that one of the followed teams has solved, in order of time. */
function stepsOf(board: Board, followed: readonly Team[]): Step[] {
  const wanted = board.challenges.filter(({ id }) => followed.some((team) => team.solves.has(id)));
  const steps: Step[] = [];
  for (const team of board.teams) {
    for (const challenge of wanted) {
      const solve = team.solves.get(challenge.id);
      if (solve) steps.push({ ...solve, challenge, team });
    }
  }
  return steps.sort((a, b) => a.ts - b.ts || a.position - b.position);
}

/** Adds to a team's score; changes at the same time share a point. */
function add(points: ScorePoint[], ts: number, change: number): void {
  const last = points.at(-1);
  if (!last || change === 0) return;
  if (last.ts === ts) points.pop();
  points.push({ ts, points: last.points + change });
}

/**
 * Applies the `count`-th solve of a challenge: the value falls for earlier solvers, and the solver
 * gains it.
 */
function replay(step: Step, count: number, followers: readonly TeamReplay[]): void {
  const { challenge, team, ts, position } = step;
  const { id } = challenge;
  const value = pointsOf({ ...challenge, nsolves: count }, position);
  const isDynamic = challenge.challengeType === "dynamic";
  const fall = isDynamic ? value - pointsOf({ ...challenge, nsolves: count - 1 }) : 0;
  for (const follower of followers) {
    if (follower.held.has(id)) add(follower.points, ts, fall);
    if (follower.team !== team) continue;
    follower.held.add(id);
    add(follower.points, ts, value);
  }
}

function lastSolveTs(board: Board): number {
  return board.teams.reduce((last, team) => Math.max(last, team.lastSolveTs), 0);
}

/**
 * Start time of the lines: the event's start, or shortly before the first solve if that is late.
 */
function beginningTs(startTs: number | null, firstTs: number, endTs: number): number {
  const marginS = Math.max(MARGIN_S_MIN, (endTs - firstTs) * MARGIN_SHARE);
  return Math.min(firstTs, Math.max(startTs ?? 0, firstTs - marginS));
}

/**
 * The named teams' scores from the start (`startTs`, if known) to the board's last solve. Awards
 * have no time on the wire, so they count from the start.
 */
export function scoreLines(
  board: Board,
  teamNames: readonly string[],
  startTs: number | null,
): ScoreLine[] {
  const teams = new Map(board.teams.map((team) => [team.teamName, team]));
  const followed = teamNames.map((name) => teams.get(name)).filter((team) => team !== undefined);
  const steps = stepsOf(board, followed);
  const endTs = lastSolveTs(board);
  const beginTs = beginningTs(startTs, steps[0]?.ts ?? endTs, endTs);
  const followers = followed.map(
    (team): TeamReplay => ({
      team,
      held: new Set(),
      points: [{ ts: beginTs, points: team.award }],
    }),
  );
  const counts = new Map<string, number>();
  for (const step of steps) {
    const count = (counts.get(step.challenge.id) ?? 0) + 1;
    counts.set(step.challenge.id, count);
    replay(step, count, followers);
  }
  return followers.map(({ team, points }) => ({
    name: team.teamName,
    points: extendTo(points, endTs),
  }));
}

/** Extends the line horizontally to the end. */
function extendTo(points: readonly ScorePoint[], endTs: number): readonly ScorePoint[] {
  const last = points.at(-1);
  return last && last.ts < endTs ? [...points, { ts: endTs, points: last.points }] : points;
}

/** Evenly spaced times, including both ends. */
export function moments(fromTs: number, toTs: number, count: number): number[] {
  if (toTs <= fromTs || count < 2) return [toTs];
  const step = (toTs - fromTs) / (count - 1);
  return Array.from({ length: count }, (_, index) => fromTs + step * index);
}
