/** Steps of the event setup. */
import type { ActionName } from "../../../api/actions";
import type { Settings } from "../../../api/organize-settings";
import { idFor } from "../challenges/actions";

export const STEPS = ["name", "rules", "mail", "players", "challenge", "start"] as const;
export type Step = (typeof STEPS)[number];

/** Key of the limit that a campus behind one IP address reaches first. */
export const SIGNUPS = "signups_per_network_per_hour";
/** Default sender. */
export const NO_SENDER = "Flagship <flagship@localhost>";

const NEEDS: Readonly<Record<Step, ActionName>> = {
  name: "event.name",
  rules: "event.rules",
  mail: "settings.set",
  players: "settings.set",
  challenge: "challenge.create",
  start: "event.times",
};

export function stepsFor(may: (action: string) => boolean): readonly Step[] {
  return STEPS.filter((step) => may(NEEDS[step]));
}

const PLAYERS = "flagship.setup-players";

/** Remembers that the players step was saved, because its defaults are valid answers too. */
export function rememberPlayers(): void {
  try {
    localStorage.setItem(PLAYERS, "yes");
  } catch {
    // Storage is not available: the step stays open unless it changes a default.
  }
}

function isPlayersSaved(): boolean {
  try {
    return localStorage.getItem(PLAYERS) === "yes";
  } catch {
    return false;
  }
}

/** True if an answer about the players differs from its default. */
function isPlayersChanged({ sections: { registration, limits, captcha } }: Settings): boolean {
  const { open = true, confirm_email: confirm = true, student_label: label } = registration ?? {};
  const provider = captcha?.provider ?? "altcha";
  const isCaptchaChosen = provider !== "altcha" && provider !== "off";
  return !open || !confirm || Boolean(label) || limits?.[SIGNUPS] === 0 || isCaptchaChosen;
}

/**
 * Completed steps; the last one is complete when the event has started. Without a captcha, the step
 * of the players stays open.
 */
export function doneSteps(
  settings: Settings,
  challenges: number,
  now: number,
): Readonly<Record<Step, boolean>> {
  const { event, rules, rulesFromFiles, sections } = settings;
  const hasCaptcha = (sections.captcha?.provider ?? "off") !== "off";
  return {
    name: Boolean(event?.start && event.end),
    rules: Boolean(rules) || rulesFromFiles,
    mail: (sections.mail?.from ?? NO_SENDER) !== NO_SENDER,
    players: hasCaptcha && (isPlayersSaved() || isPlayersChanged(settings)),
    challenge: challenges > 0,
    start: Boolean(event?.start && event.start <= now),
  };
}

/** Current step: the requested one, or the first incomplete one. */
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

/** Challenge ID derived from the name's valid characters, or else from a number. */
export function challengeId(name: string, now: number): string {
  return idFor(name).replace(/-$/, "") || `challenge-${now}`;
}

const HOUR_MS = 3_600_000;

/** Proposed times: one day, starting at a full hour a week from now. */
export function proposedTimes(now: number): { start: number; end: number } {
  const start = Math.ceil((now + 7 * 24 * HOUR_MS) / HOUR_MS) * HOUR_MS;
  return { start, end: start + 24 * HOUR_MS };
}
