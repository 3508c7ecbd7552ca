/** The lines of the score graph and the event around them, from what the public sees. */
import { useEffect, useMemo, useReducer } from "react";
import { useServerNow, useStatus } from "../../api/clock";
import { useCtf } from "../../api/queries";
import { useSession } from "../../api/session";
import { type Board, rankTeams } from "../../domain/board";
import { publicBoard } from "../../domain/highlights";
import { type ScoreLine, scoreLines } from "../../domain/history";
import { isDynamic } from "../../domain/points";
import { type EventTimes, isBoardFrozen, type Status } from "../../domain/status";
import type { ChartBlood, ChartStory } from "../../ui/score-chart/score-chart";
import { useThrottled } from "../../ui/throttle/throttle";

const TEAMS_MAX = 10;
const REDRAW_MS = 1000;
const MINUTE_MS = 60_000;
/** Least width of the freeze, as a share of the time before it. */
const FREEZE_SHARE = 0.08;

interface Moment {
  readonly times: EventTimes;
  readonly status: Status;
  /** True while the board hides later solves, also after the end. */
  readonly isHidden: boolean;
  readonly nowMs: number;
}

/** Ends of the lines and of the time axis, in epoch seconds. */
export interface Frame {
  readonly fromTs: number;
  /** End of the lines: now, the end, or the freeze while later solves are hidden. */
  readonly untilTs: number;
  readonly toTs: number;
  /** Start of the freeze and end of the event, once they are past. */
  readonly freezeTs: number | null;
  readonly endTs: number | null;
}

function seconds(ms: number | null, otherwise: number): number {
  return ms === null ? otherwise : ms / 1000;
}

/**
 * The frame of the graph: from shortly before the first solve (`firstTs`) to now, at most to the
 * end. `lastTs` is the last solve.
 */
export function frameOf(moment: Moment, firstTs: number, lastTs: number): Frame {
  const { times, status, isHidden, nowMs } = moment;
  const endTs = seconds(times.endTime, Number.POSITIVE_INFINITY);
  const hasFrozen = status === "frozen" || status === "ended";
  const frozenTs = hasFrozen ? seconds(times.freezeTime, endTs) : endTs;
  const knownTs = isHidden ? frozenTs : endTs;
  const nowTs = nowMs / 1000;
  const fromTs = firstTs;
  const untilTs = Math.max(lastTs, fromTs, Math.min(nowTs, knownTs));
  const leastTs = Math.max(
    fromTs + MINUTE_MS / 1000,
    hasFrozen ? frozenTs + (frozenTs - fromTs) * FREEZE_SHARE : 0,
  );
  const toTs = Math.max(untilTs, Math.min(endTs, Math.max(nowTs, leastTs)));
  const freezeTs = hasFrozen && frozenTs < toTs ? Math.max(fromTs, frozenTs) : null;
  return { fromTs, untilTs, toTs, freezeTs, endTs: nowTs >= endTs ? endTs : null };
}

/** The line from one time to another; the score holds before and after. */
function framed({ name, points }: ScoreLine, fromTs: number, untilTs: number): ScoreLine {
  const before = points.findLast(({ ts }) => ts <= fromTs) ?? points[0];
  const inside = points.filter(({ ts }) => ts > fromTs && ts < untilTs);
  const begin = { ts: fromTs, points: before?.points ?? 0 };
  const end = { ts: untilTs, points: points.at(-1)?.points ?? 0 };
  return { name, points: untilTs > fromTs ? [begin, ...inside, end] : [end] };
}

function firstBloods(board: Board, names: readonly string[]): ChartBlood[] {
  const wanted = new Set(names);
  const titles = new Map(board.challenges.map(({ id, challengeName }) => [id, challengeName]));
  return board.teams
    .filter(({ teamName }) => wanted.has(teamName))
    .flatMap(({ teamName, solves }) =>
      [...solves]
        .filter(([, { position }]) => position === 1)
        .map(([id, { ts }]) => ({ name: teamName, ts, challenge: titles.get(id) ?? id })),
    );
}

/**
 * The lines of the top ten and of the viewer's team, with the event around them. The board is the
 * public one.
 */
export function graphOf(board: Board, moment: Moment, ownTeam: string | null) {
  const drawn = rankTeams(board).filter(
    ({ team }, place) => place < TEAMS_MAX || team.teamName === ownTeam,
  );
  const names = drawn.map(({ team }) => team.teamName);
  const { startTime } = moment.times;
  const solved = scoreLines(board, names, startTime === null ? null : startTime / 1000);
  const lastTs = solved[0]?.points.at(-1)?.ts ?? 0;
  // Without a solve, the lines begin at the epoch.
  const firstTs = lastTs > 0 ? (solved[0]?.points[0]?.ts ?? 0) : seconds(startTime, 0);
  const { untilTs, ...frame } = frameOf(moment, firstTs, lastTs);
  const story: ChartStory = { ...frame, ownTeam, bloods: firstBloods(board, names) };
  const lines = solved.map((line, index) => ({
    ...framed(line, frame.fromTs, untilTs),
    rank: drawn[index]?.rank,
  }));
  return { lines, story, isFalling: board.challenges.some(isDynamic) };
}

/** True if a line has ever had points. */
export function hasScores(lines: readonly ScoreLine[]): boolean {
  return lines.some((line) => line.points.some(({ points }) => points !== 0));
}

/** The graph, computed at most once a second, and at least once a minute. */
export function useGraph(board: Board) {
  const paced = useThrottled(board, REDRAW_MS);
  const status = useStatus();
  const nowMs = useServerNow();
  const { team } = useSession();
  const info = useCtf().data?.info;
  const { startTime = null, freezeTime = null, endTime = null } = info ?? {};
  const isHidden = info !== undefined && isBoardFrozen(info, status);
  const [minute, tick] = useReducer((count: number) => count + 1, 0);
  useEffect(() => {
    const timer = setInterval(tick, MINUTE_MS);
    return () => clearInterval(timer);
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the minute stands for the clock.
  return useMemo(() => {
    const times = { startTime, freezeTime, endTime };
    return graphOf(publicBoard(paced, team), { times, status, isHidden, nowMs }, team);
  }, [paced, team, status, isHidden, startTime, freezeTime, endTime, minute]);
}
