/** Countdown arithmetic: a duration split into units, and how full each ring is. */

export interface Remaining {
  days: number;
  hours: number;
  minutes: number;
  seconds: number;
}

export type Unit = keyof Remaining;
/** How many of a unit fill its ring. */
const FULL: Readonly<Record<Unit, number>> = { days: 30, hours: 24, minutes: 60, seconds: 60 };
export const UNITS: readonly Unit[] = ["days", "hours", "minutes", "seconds"];

/** Whole units left until `targetMs`; a started second counts, so 0 means that it has passed. */
export function remaining(targetMs: number, nowMs: number): Remaining {
  const left = Math.max(0, Math.ceil((targetMs - nowMs) / 1000));
  return {
    days: Math.floor(left / 86_400),
    hours: Math.floor((left % 86_400) / 3600),
    minutes: Math.floor((left % 3600) / 60),
    seconds: left % 60,
  };
}

/** How full a unit's ring is, 0 to 1; more than 30 days is a full ring. */
export function ringShare(unit: Unit, left: Remaining): number {
  return Math.min(1, left[unit] / FULL[unit]);
}

/** Hours, minutes and seconds as a clock shows them: `3:04:05`, below an hour `4:05`. */
export function clockDigits({ hours, minutes, seconds }: Omit<Remaining, "days">): string {
  const two = (number: number) => String(number).padStart(2, "0");
  const rest = `${two(minutes)}:${two(seconds)}`;
  return hours > 0 ? `${hours}:${rest}` : rest.replace(/^0/, "");
}
