/** Changed event times, and their consequences shown before confirmation. */
import type { Fields } from "../../../api/actions";
import type { Overview } from "../../../api/organize-lists";
import { MINUTE_MS, PHASES, type Phase } from "../event/line";

type Times = Pick<Overview, Phase>;
type Stand = Times & Pick<Overview, "status" | "isRevealed" | "now">;

/** Start, freeze and end before and after the change; equal if unchanged. */
export function movedTimes(times: Times, given: Fields<"event.times">) {
  return PHASES.map((phase) => {
    const was = times[phase] ?? null;
    const wanted = Date.parse(String(given[phase] ?? ""));
    return { phase, was, becomes: Number.isNaN(wanted) ? was : wanted };
  });
}

export type MovedTime = ReturnType<typeof movedTimes>[number];

/** True if the final result was shown: after the end and, with a freeze, the reveal. */
export function isResultShown({ status, isRevealed, freeze }: Stand): boolean {
  return status === "ended" && (isRevealed || typeof freeze !== "number");
}

/** True if the scoreboard was revealed and the new times keep the freeze in the past. */
export function staysRevealed(stand: Stand, times: readonly MovedTime[]): boolean {
  const freeze = times.find(({ phase }) => phase === "freeze")?.becomes ?? null;
  return stand.isRevealed && freeze !== null && freeze <= stand.now;
}

/** Times of an extended event, moving an upcoming freeze too, as `event extend` does. */
export function extended(stand: Stand, minutes: number, isEndOnly: boolean): Fields<"event.times"> {
  const later = (ms: number) => new Date(ms + minutes * MINUTE_MS).toISOString();
  const { freeze, end, now } = stand;
  const movesFreeze = !isEndOnly && typeof freeze === "number" && freeze > now;
  return {
    start: undefined,
    freeze: movesFreeze ? later(freeze) : undefined,
    end: typeof end === "number" ? later(end) : undefined,
  };
}
