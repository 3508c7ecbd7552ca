/** Durations as short texts, and the times of the event still to come. */
import type { ListedChallenge, Overview } from "../../../api/organize-lists";
import { useOrganizeMessages } from "../../../messages/organize/words";
import { two } from "../frame/clock";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Formatter for durations: `14 min`, `3:05 h`, `2 days`. */
export function useAgeText(): (ms: number) => string {
  const { day } = useOrganizeMessages();
  return (ms) => {
    if (ms >= 2 * DAY_MS) return day.days(Math.floor(ms / DAY_MS));
    const minutes = Math.floor(ms / MINUTE_MS);
    if (ms < HOUR_MS) return `${minutes} min`;
    return `${Math.floor(minutes / 60)}:${two(minutes % 60)} h`;
  };
}

export interface EventTime {
  readonly key: string;
  readonly kind: "start" | "freeze" | "end" | "release";
  readonly at: number;
  /** Released challenge. */
  readonly challenge?: Pick<ListedChallenge, "id" | "challengeName">;
}

/** Number of releases shown. */
const RELEASES_MAX = 4;

/** Start, freeze, end and the next releases, in order. */
export function eventTimes(
  { start, freeze, end, now }: Overview,
  challenges: readonly ListedChallenge[],
): readonly EventTime[] {
  const fixed = Object.entries({ start, freeze, end } as const).flatMap(([kind, at]) => {
    const known = kind === "start" || kind === "freeze" ? kind : "end";
    return typeof at === "number" ? [{ key: kind, kind: known, at } as const] : [];
  });
  const releases = challenges
    .flatMap(({ id, challengeName, releasesAt: at }) => {
      const challenge = { id, challengeName };
      return at && at > now ? [{ key: id, kind: "release", at, challenge } as const] : [];
    })
    .toSorted((a, b) => a.at - b.at)
    .slice(0, RELEASES_MAX);
  return [...fixed, ...releases].toSorted((a, b) => a.at - b.at);
}
