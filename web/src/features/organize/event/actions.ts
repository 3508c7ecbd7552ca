/** Actions available for the event in its current state. */
import type { Overview } from "../../../api/organize-lists";
import type { Action } from "../change/action-buttons";

/** Pause or resume, and post a notice. After the end, there is nothing to pause. */
export function eventActions({ isPaused, status }: Overview, notice: string): readonly Action[] {
  const action = isPaused ? "event.resume" : "event.pause";
  const pausing: Action = { action, fixed: {}, key: "p" };
  const post: Action = {
    action: "notice.post",
    fixed: {},
    object: notice,
    key: "a",
  };
  return status === "ended" && !isPaused ? [post] : [pausing, post];
}

export function revealAction({ name }: Overview): Action {
  return { action: "event.reveal", fixed: {}, object: name };
}

export function isRevealDue({ isFrozen, status }: Overview): boolean {
  return status === "ended" && isFrozen;
}
