/** The event's status from its times, and its next change. All times in epoch milliseconds. */

export type Status = "unknown" | "not_started" | "running" | "frozen" | "ended";

export interface EventTimes {
  startTime: number | null;
  endTime: number | null;
  freezeTime: number | null;
}

/**
 * Status by time: ended after the end, frozen after the freeze, not started before the start, else
 * running.
 */
export function eventStatus(times: EventTimes, nowMs: number): Status {
  const { startTime, endTime, freezeTime } = times;
  if (startTime === null && endTime === null && freezeTime === null) return "unknown";
  if (endTime !== null && nowMs >= endTime) return "ended";
  if (freezeTime !== null && nowMs >= freezeTime) return "frozen";
  if (startTime !== null && nowMs < startTime) return "not_started";
  return "running";
}

/** The displayed status: after a reveal, an event that runs again is not frozen. */
export function shownStatus(times: EventTimes & { revealed: boolean }, nowMs: number): Status {
  const status = eventStatus(times, nowMs);
  return status === "frozen" && times.revealed ? "running" : status;
}

/** The event settings that determine the freeze. */
export interface FreezeTimes {
  freezeTime: number | null;
  revealAtEnd: boolean;
  revealed: boolean;
}

/**
 * True while the board hides later solves: during the freeze, and after the end until a manual
 * reveal.
 */
export function isBoardFrozen(times: FreezeTimes, status: Status): boolean {
  if (times.revealed) return false;
  // At the end, the event info may still be stale.
  const waits = times.freezeTime !== null && !times.revealAtEnd;
  return status === "frozen" || (status === "ended" && waits);
}

/** Time at which the status may change next, or null. */
export function nextChangeMs(times: EventTimes, nowMs: number): number | null {
  const future = [times.startTime, times.freezeTime, times.endTime].filter(
    (time): time is number => time !== null && time > nowMs,
  );
  return future.length === 0 ? null : Math.min(...future);
}

/**
 * Milliseconds until the next check of the clock, at most `stepMaxMs`. The limit allows delays
 * beyond the timer's maximum (2147483647 ms), and corrects the time after a laptop slept.
 */
export function timerStepMs(targetMs: number, nowMs: number, stepMaxMs = 30_000): number {
  return Math.min(Math.max(0, targetMs - nowMs), stepMaxMs);
}

/** Targets of the countdown: the start; while the event runs, the end and the freeze. */
export function clockTargets(times: EventTimes & { revealed: boolean }, status: Status) {
  const isOn = status === "running" || status === "frozen";
  return {
    startMs: status === "not_started" ? times.startTime : null,
    endMs: isOn ? times.endTime : null,
    // After a reveal, an event that is extended does not freeze again.
    freezeMs: status === "running" && !times.revealed ? times.freezeTime : null,
  };
}
