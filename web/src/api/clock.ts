/** Server time: the local clock, corrected by `serverTime`. */
import { useEffect, useReducer } from "react";
import { hasLaterSolve, ownRow } from "../domain/challenges";
import { nextSignupChangeMs, type SignupPhase, signupPhase } from "../domain/signup-phase";
import {
  isBoardFrozen,
  nextChangeMs,
  type Status,
  shownStatus,
  timerStepMs,
} from "../domain/status";
import { useCtf, useLive } from "./queries";

/** Re-renders at `nextMs` (server time), and whenever the page becomes visible. */
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

/** The event's status. Updates at the start, the freeze and the end. */
export function useStatus(): Status {
  const { data } = useCtf();
  const clockBehindMs = data?.clockBehindMs ?? 0;
  const nowMs = Date.now() + clockBehindMs;
  useWakeAt(data ? nextChangeMs(data.info, nowMs) : null, clockBehindMs);
  return data ? shownStatus(data.info, nowMs) : "unknown";
}

/** State of the signup, which changes at the times of its window; undefined until it is known. */
export function useSignupPhase(): SignupPhase | undefined {
  const { data } = useCtf();
  const clockBehindMs = data?.clockBehindMs ?? 0;
  const nowMs = Date.now() + clockBehindMs;
  const window = data?.info.registration;
  useWakeAt(window ? nextSignupChangeMs(window, nowMs) : null, clockBehindMs);
  return window && signupPhase(window, nowMs);
}

/** Server time, updated every full second until `targetMs`. */
export function useSecondsUntil(targetMs: number): number {
  const clockBehindMs = useCtf().data?.clockBehindMs ?? 0;
  const nowMs = Date.now() + clockBehindMs;
  const leftMs = targetMs - nowMs;
  useWakeAt(leftMs > 0 ? nowMs + (leftMs % 1000 || 1000) : null, clockBehindMs);
  return nowMs;
}

/** Server time at this render. */
export function useServerNow(): number {
  return Date.now() + (useCtf().data?.clockBehindMs ?? 0);
}

/** True while the event is paused; false before the start and after the end. */
export function useIsPaused(): boolean {
  const status = useStatus();
  const isPaused = useCtf().data?.info.paused === true;
  return isPaused && status !== "not_started" && status !== "ended";
}

/** True after the end and the reveal, if flags are still judged. */
export function useIsPractice(): boolean {
  const info = useCtf().data?.info;
  return useStatus() === "ended" && info?.practice === true && info.revealed;
}

/**
 * Time of the reveal in epoch milliseconds; null if organizers decide, undefined while nothing is
 * hidden.
 */
export function useRevealMs(): number | null | undefined {
  const info = useCtf().data?.info;
  const status = useStatus();
  if (!info || !isBoardFrozen(info, status)) return undefined;
  return info.revealAtEnd ? info.endTime : null;
}

/** The freeze for the logged-in team or a visitor; null while nothing is hidden. */
export function useFreeze() {
  const loggedTeam = useCtf().data?.info.loggedTeam ?? null;
  const status = useStatus();
  const { board } = useLive();
  const untilMs = useRevealMs();
  if (untilMs === undefined) return null;
  return {
    untilMs,
    hasTeam: loggedTeam !== null,
    hasEnded: status === "ended",
    hasLaterSolve: hasLaterSolve(ownRow(board, loggedTeam)),
  };
}
