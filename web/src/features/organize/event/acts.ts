/** What can be done with the event as it stands. */
import type { Overview } from "../../../api/organize-lists";
import type { Act } from "../change/act-buttons";

/** Pausing or resuming, and a notice. After the end there is nothing to pause. */
export function eventActs({ isPaused, status }: Overview, notice: string): readonly Act[] {
  const act = isPaused ? "event.resume" : "event.pause";
  const pausing: Act = { kind: "act", act, fixed: {}, key: "p" };
  const post: Act = { kind: "act", act: "notice.post", fixed: {}, object: notice, key: "a" };
  return status === "ended" && !isPaused ? [post] : [pausing, post];
}

/** The act that shows everyone what the freeze hides. */
export function revealAct({ name }: Overview): Act {
  return { kind: "act", act: "event.reveal", fixed: {}, object: name };
}

/** The event has ended, and everyone waits for the reveal. */
export function isRevealDue({ isFrozen, status }: Overview): boolean {
  return status === "ended" && isFrozen;
}
