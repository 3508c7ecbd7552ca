/** The event's status from its times, and when it changes next. All times in epoch milliseconds. */

export type Status = "unknown" | "not_started" | "running" | "frozen" | "ended";

export interface EventTimes {
  startTime: number | null;
  endTime: number | null;
  freezeTime: number | null;
}

/** End passed: ended. Freeze passed: frozen. Start in the future: not started. Else running. */
export function eventStatus(times: EventTimes, nowMs: number): Status {
  const { startTime, endTime, freezeTime } = times;
  if (startTime === null && endTime === null && freezeTime === null) return "unknown";
  if (endTime !== null && nowMs >= endTime) return "ended";
  if (freezeTime !== null && nowMs >= freezeTime) return "frozen";
  if (startTime !== null && nowMs < startTime) return "not_started";
  return "running";
}

/** The status as pages show it: after a reveal, an event that runs again hides nothing. */
export function shownStatus(times: EventTimes & { revealed: boolean }, nowMs: number): Status {
  const status = eventStatus(times, nowMs);
  return status === "frozen" && times.revealed ? "running" : status;
}

/** The event's settings on which the freeze depends. */
export interface FreezeTimes {
  freezeTime: number | null;
  revealAtEnd: boolean;
  revealed: boolean;
}

/** True while the board hides later solves: also after the end, until a manual reveal. */
export function isBoardFrozen(times: FreezeTimes, status: Status): boolean {
  if (times.revealed) return false;
  // At the end, the event's info may still be the one of before.
  const waits = times.freezeTime !== null && !times.revealAtEnd;
  return status === "frozen" || (status === "ended" && waits);
}

/** The next moment at which the status may change, or null. */
export function nextChangeMs(times: EventTimes, nowMs: number): number | null {
  const future = [times.startTime, times.freezeTime, times.endTime].filter(
    (time): time is number => time !== null && time > nowMs,
  );
  return future.length === 0 ? null : Math.min(...future);
}

/**
 * Milliseconds until the next look at the clock, at most `stepMaxMs`, so that delays beyond the
 * timer's maximum (2147483647 ms) work and a laptop that slept catches up.
 */
export function timerStepMs(targetMs: number, nowMs: number, stepMaxMs = 30_000): number {
  return Math.min(Math.max(0, targetMs - nowMs), stepMaxMs);
}

/** What a clock counts down to: the start alone, or while it runs the end and the freeze. */
export function clockTargets(times: EventTimes & { revealed: boolean }, status: Status) {
  const isOn = status === "running" || status === "frozen";
  return {
    startMs: status === "not_started" ? times.startTime : null,
    endMs: isOn ? times.endTime : null,
    // After a reveal the event runs again, and its freeze is over.
    freezeMs: status === "running" && !times.revealed ? times.freezeTime : null,
  };
}
