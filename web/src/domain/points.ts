/** Points of a challenge, by the contract's rule, like the server's `points`. */

import type { components } from "../api/schema";

type Column = components["schemas"]["Column"];
export type ChallengeType = Column["challengeType"];

/** The fields of a challenge that determine its value. */
type Valued = Omit<Column, "id" | "challengeName" | "categories" | "fbTs">;

const DECAY_DEFAULT = 15;
const DECAY_EXPONENT = 1.3;

/** `max(min, floor(max * min(1, decay/(decay-1+n))^1.3))` with n solves. */
export function dynamicPoints(max: number, min: number, decay: number, solves: number): number {
  const share = Math.min(1, decay / (decay - 1 + solves));
  return Math.max(min, Math.floor(max * share ** DECAY_EXPONENT));
}

/**
 * Points for the solve at `position` (from 1). Without a position, the value to display: for a
 * speedrun, the number of solves is then the position, and 0 solves shows the first value.
 */
export function pointsOf(challenge: Valued, position?: number): number {
  if (challenge.challengeType === "static") return challenge.maxValue;
  if (challenge.challengeType === "speedrun") {
    const place = position ?? Math.max(1, challenge.nsolves);
    return challenge.speedrunValues[place - 1] ?? 0;
  }
  const decay = challenge.decay ?? DECAY_DEFAULT;
  return dynamicPoints(challenge.maxValue, challenge.minValue, decay, challenge.nsolves);
}

/** True if each solve lowers the points of all solves. */
export function isDynamic({ challengeType }: Pick<Valued, "challengeType">): boolean {
  return challengeType === "dynamic";
}

/** True if solves of other teams can lower the points of a solve. */
export function canFall({ challengeType }: Pick<Valued, "challengeType">): boolean {
  return challengeType !== "static";
}
