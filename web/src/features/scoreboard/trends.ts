/** The recent past of the board's teams: ranks gained or lost, and scores since the start. */
import { useDeferredValue, useEffect, useMemo, useReducer } from "react";
import { useServerNow } from "../../api/clock";
import { useCtf } from "../../api/queries";
import type { Board, RankedTeam } from "../../domain/board";
import { Past } from "../../domain/past";
import type { BoardTrend } from "../../ui/board-table/board-table";
import { useThrottled } from "../../ui/throttle/throttle";

const MOVEMENT_S = 15 * 60;
const SCORES = 24;
/** Interval of computation: each one reads every solve of the event. */
const PACE_MS = 5000;
const MINUTE_MS = 60_000;
const NO_SCORES: readonly number[] = [];

/** Rerenders every minute, because movement ends when nothing happens. */
function useMinute(): number {
  const [minute, pass] = useReducer((count: number) => count + 1, 0);
  useEffect(() => {
    const timer = setInterval(pass, MINUTE_MS);
    return () => clearInterval(timer);
  }, []);
  return minute;
}

/** Time of the board in epoch seconds: now, but at most the freeze or the end of the event. */
function useBoardTs(isFrozen: boolean): number {
  const info = useCtf().data?.info;
  const nowMs = useServerNow();
  const lastMs = (isFrozen ? info?.freezeTime : info?.endTime) ?? nowMs;
  return Math.min(nowMs, lastMs) / 1000;
}

/**
 * Returns the trend of a row of a board that everyone can see. The first render has none, so that
 * the board appears without a delay.
 */
export function useTrends(
  known: Board,
  ranked: readonly RankedTeam[],
  isFrozen: boolean,
): (teamName: string) => BoardTrend {
  const settled = useDeferredValue<Board | null>(useThrottled(known, PACE_MS), null);
  const minute = useMinute();
  const boardTs = useBoardTs(isFrozen);
  const startMs = useCtf().data?.info.startTime;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the time is read once a minute.
  const past = useMemo(() => {
    if (!settled) return null;
    const fromTs = startMs == null ? boardTs - MOVEMENT_S : startMs / 1000;
    const past = new Past(settled);
    return {
      ranks: past.ranksAt(boardTs - MOVEMENT_S),
      scoresOf: past.scoresOver(fromTs, boardTs, SCORES),
    };
  }, [settled, minute, isFrozen, startMs]);
  const ranks = useMemo(
    () => new Map(ranked.map(({ team, rank }) => [team.teamName, rank])),
    [ranked],
  );
  return useMemo(
    () => (teamName) => {
      const before = past?.ranks.get(teamName);
      const rank = ranks.get(teamName);
      const moved = before === undefined || rank === undefined ? 0 : before - rank;
      return { moved, scores: past?.scoresOf(teamName) ?? NO_SCORES };
    },
    [past, ranks],
  );
}
