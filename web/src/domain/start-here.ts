/** Suggestions for a team without an open challenge. */
import { type BoardChallenge, groupByCategory } from "./board";
import type { Derived, Listed } from "./challenges";
import { pointsOf } from "./points";

type Playable = Derived<
  Listed & Omit<BoardChallenge, "fbTs"> & { status: string; closes?: number | undefined }
>;

/** Orders by points ascending, then solves descending. */
function compareEase(a: Playable, b: Playable): number {
  return pointsOf(a) - pointsOf(b) || b.nsolves - a.nsolves;
}

/** True for a challenge that can be solved now, for points. */
function isPlayable(challenge: Playable, nowMs: number): boolean {
  const { solved, locked, status, closes = Number.POSITIVE_INFINITY } = challenge;
  return !solved && !locked && status !== "broken" && closes > nowMs && pointsOf(challenge) > 0;
}

/** The easiest playable challenge of each first category, in the order of the list. */
export function startingChallenges<T extends Playable>(
  challenges: readonly T[],
  nowMs: number,
): T[] {
  return groupByCategory(challenges).flatMap((group) => {
    const playable = group.challenges.filter((one) => isPlayable(one, nowMs));
    return playable.sort(compareEase).slice(0, 1);
  });
}
