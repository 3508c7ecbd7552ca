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
