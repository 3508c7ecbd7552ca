/** The server's time: the local clock corrected by `serverTime`. */
import { useEffect, useReducer } from "react";
import { hasLaterSolve, ownRow } from "../domain/challenges";
import {
  isBoardFrozen,
  nextChangeMs,
  type Status,
  shownStatus,
  timerStepMs,
} from "../domain/status";
import { useCtf, useLive } from "./queries";

/** Rerenders at `nextMs` (server time), and whenever the page becomes visible. */
function useWakeAt(nextMs: number | null, clockBehindMs: number): void {
  const [wakes, wake] = useReducer((count: number) => count + 1, 0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each wake sets the next timer.
  useEffect(() => {
    if (nextMs === null) return;
    const timer = setTimeout(wake, timerStepMs(nextMs, Date.now() + clockBehindMs) + 1);
    document.addEventListener("visibilitychange", wake);
    return () => {
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", wake);
    };
  }, [nextMs, clockBehindMs, wakes]);
}

/** The event's status; changes by itself at start, freeze and end. */
export function useStatus(): Status {
  const { data } = useCtf();
  const clockBehindMs = data?.clockBehindMs ?? 0;
  const nowMs = Date.now() + clockBehindMs;
  useWakeAt(data ? nextChangeMs(data.info, nowMs) : null, clockBehindMs);
  return data ? shownStatus(data.info, nowMs) : "unknown";
}

/** The server's time, updated every full second until `targetMs`. */
export function useSecondsUntil(targetMs: number): number {
  const clockBehindMs = useCtf().data?.clockBehindMs ?? 0;
  const nowMs = Date.now() + clockBehindMs;
  const leftMs = targetMs - nowMs;
  useWakeAt(leftMs > 0 ? nowMs + (leftMs % 1000 || 1000) : null, clockBehindMs);
  return nowMs;
}

/** The server's time at this render. */
export function useServerNow(): number {
  return Date.now() + (useCtf().data?.clockBehindMs ?? 0);
}

/** True while organizers have paused the event. Before the start and after the end it is false. */
export function useIsPaused(): boolean {
  const status = useStatus();
  const isPaused = useCtf().data?.info.paused === true;
  return isPaused && status !== "not_started" && status !== "ended";
}

/** The freeze, for the logged-in team or a visitor; null while the board shows everything. */
export function useFreeze() {
  const info = useCtf().data?.info;
  const status = useStatus();
  const { board } = useLive();
  if (!info || !isBoardFrozen(info, status)) return null;
  const { endTime, revealAtEnd, loggedTeam } = info;
  return {
    untilMs: revealAtEnd ? endTime : null,
    hasTeam: loggedTeam !== null,
    hasEnded: status === "ended",
    hasLaterSolve: hasLaterSolve(ownRow(board, loggedTeam)),
  };
}
