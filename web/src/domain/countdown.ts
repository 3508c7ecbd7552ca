/** Countdown arithmetic: a duration split into units, and the fill level of each ring. */

export interface Remaining {
  days: number;
  hours: number;
  minutes: number;
  seconds: number;
}

export type Unit = keyof Remaining;
/** Number of units in a full ring. */
const FULL: Readonly<Record<Unit, number>> = { days: 30, hours: 24, minutes: 60, seconds: 60 };
export const UNITS: readonly Unit[] = ["days", "hours", "minutes", "seconds"];

/** Whole units until `targetMs`. A started second counts, so 0 means that the time has passed. */
export function remaining(targetMs: number, nowMs: number): Remaining {
  const left = Math.max(0, Math.ceil((targetMs - nowMs) / 1000));
  return {
    days: Math.floor(left / 86_400),
    hours: Math.floor((left % 86_400) / 3600),
    minutes: Math.floor((left % 3600) / 60),
    seconds: left % 60,
  };
}

/** Fill level of a unit's ring from 0 to 1; more than 30 days is a full ring. */
export function ringShare(unit: Unit, left: Remaining): number {
  return Math.min(1, left[unit] / FULL[unit]);
}

/** Hours, minutes and seconds in clock format: `3:04:05`, or `4:05` below an hour. */
export function clockDigits({ hours, minutes, seconds }: Omit<Remaining, "days">): string {
  const two = (number: number) => String(number).padStart(2, "0");
  const rest = `${two(minutes)}:${two(seconds)}`;
  return hours > 0 ? `${hours}:${rest}` : rest.replace(/^0/, "");
}
