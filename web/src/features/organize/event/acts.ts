/** What can be done with the event as it stands. */
import type { Overview } from "../../../api/organize-lists";
import type { Act } from "../change/act-buttons";

/** Pausing or resuming, and a notice. */
export function eventActs({ isPaused }: Overview, notice: string): readonly Act[] {
  return [
    { kind: "act", act: isPaused ? "event.resume" : "event.pause", fixed: {}, key: "p" },
    { kind: "act", act: "notice.post", fixed: {}, object: notice, key: "a" },
  ];
}
