/** State of the signup by time. All times in epoch milliseconds. */

export interface SignupWindow {
  readonly open: boolean;
  readonly opens?: number | null;
  readonly closes?: number | null;
}

export type SignupPhase = "notOpen" | "open" | "closed";

/** State of the signup at a time. `open: false` closes it whatever the window. */
export function signupPhase({ open, opens, closes }: SignupWindow, nowMs: number): SignupPhase {
  if (!open || (closes != null && nowMs >= closes)) return "closed";
  return opens != null && nowMs < opens ? "notOpen" : "open";
}

/** Time at which the state changes next, or null. */
export function nextSignupChangeMs({ open, ...times }: SignupWindow, nowMs: number) {
  const later = [times.opens, times.closes].filter((time) => time != null && time > nowMs);
  return open && later.length > 0 ? Math.min(...(later as number[])) : null;
}
