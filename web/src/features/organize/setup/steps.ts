/** The steps from an empty event to one that runs. */
import type { ActionName } from "../../../api/actions";
import type { Settings } from "../../../api/organize-settings";
import { idFor } from "../challenges/actions";

export const STEPS = ["name", "rules", "mail", "captcha", "challenge", "start"] as const;
export type Step = (typeof STEPS)[number];

/** The sender before somebody sets one. */
export const NO_SENDER = "Flagship <flagship@localhost>";

const NEEDS: Readonly<Record<Step, ActionName>> = {
  name: "event.name",
  rules: "event.rules",
  mail: "settings.set",
  captcha: "settings.set",
  challenge: "challenge.create",
  start: "event.times",
};

export function stepsFor(may: (action: string) => boolean): readonly Step[] {
  return STEPS.filter((step) => may(NEEDS[step]));
}

/** What is done of each step; the last one is done once the event has started. */
export function doneSteps(
  { event, rules, rulesFromFiles, sections }: Settings,
  challenges: number,
  now: number,
): Readonly<Record<Step, boolean>> {
  return {
    name: Boolean(event?.start && event.end),
    rules: Boolean(rules) || rulesFromFiles,
    mail: (sections.mail?.from ?? NO_SENDER) !== NO_SENDER,
    captcha: (sections.captcha?.provider ?? "off") !== "off",
    challenge: challenges > 0,
    start: Boolean(event?.start && event.start <= now),
  };
}

/** The step to go on with: the one that was asked for, or the first that is not done. */
export function stepAt(
  asked: string,
  steps: readonly Step[],
  done: Readonly<Record<Step, boolean>>,
): Step {
  const known = steps.find((step) => step === asked);
  return known ?? steps.find((step) => !done[step]) ?? "start";
}

export function stepAfter(step: Step, steps: readonly Step[]): Step {
  return steps[steps.indexOf(step) + 1] ?? "start";
}

/** The id for a challenge of this name: what of it an id may have, or else a number. */
export function challengeId(name: string, now: number): string {
  return idFor(name).replace(/-$/, "") || `challenge-${now}`;
}

const HOUR_MS = 3_600_000;

/** The times that are proposed: a day that begins at a full hour in a week. */
export function proposedTimes(now: number): { start: number; end: number } {
  const start = Math.ceil((now + 7 * 24 * HOUR_MS) / HOUR_MS) * HOUR_MS;
  return { start, end: start + 24 * HOUR_MS };
}
