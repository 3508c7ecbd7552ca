/** Timeline of an event: handles, marks, positions, and validation of times. Pure. */
import type { ListedChallenge, Notice, Overview } from "../../../api/organize-lists";

export const MINUTE_MS = 60_000;

/** Times that `event.times` changes. */
export const PHASES = ["start", "freeze", "end"] as const;
export type Phase = (typeof PHASES)[number];

export interface Handle {
  /** Phase name or release time. */
  readonly key: string;
  readonly phase: Phase | null;
  readonly at: number;
  /** Challenges released together at this time. */
  readonly challenges: readonly { readonly id: string; readonly challengeName: string }[];
}

export interface Mark {
  readonly key: string;
  readonly at: number;
  readonly kind: "notice" | "closes";
  readonly name: string;
}

function isTime(at: number | null | undefined): at is number {
  return at !== null && at !== undefined;
}

/** Handles for phases with a time, then for upcoming releases, grouped by time. */
export function handlesOf(
  overview: Pick<Overview, Phase>,
  challenges: readonly ListedChallenge[],
): readonly Handle[] {
  const phases = PHASES.flatMap((phase): Handle[] => {
    const at = overview[phase];
    return isTime(at) ? [{ key: phase, phase, at, challenges: [] }] : [];
  });
  const waves = new Map<number, Handle>();
  for (const { id, challengeName, releasesAt: at } of challenges) {
    if (!isTime(at)) continue;
    const before = waves.get(at)?.challenges ?? [];
    const key = `release ${at}`;
    waves.set(at, { key, phase: null, at, challenges: [...before, { id, challengeName }] });
  }
  return [...phases, ...[...waves.values()].toSorted((a, b) => a.at - b.at)];
}

/** Marks for closing challenges and scheduled notices. */
export function marksOf(
  challenges: readonly ListedChallenge[],
  notices: readonly Pick<Notice, "id" | "at" | "title" | "waits">[],
): readonly Mark[] {
  const closing = challenges.flatMap(({ id, challengeName, closesAt: at }): Mark[] =>
    isTime(at) ? [{ key: `closes ${id}`, at, kind: "closes", name: challengeName }] : [],
  );
  const waiting = notices
    .filter(({ waits }) => waits)
    .map(({ id, at, title }): Mark => ({ key: `notice ${id}`, at, kind: "notice", name: title }));
  return [...closing, ...waiting];
}

/** Visible range of the timeline, in epoch milliseconds at whole minutes. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** Visible range, with space on both sides so that the outer times can be moved. */
export function spanOf(times: readonly number[], moved: readonly number[]): Span {
  const [first, last] = [Math.min(...times), Math.max(...times)];
  const room = Math.max((last - first) / 4, 60 * MINUTE_MS);
  const from = Math.min(first - room, ...moved);
  const to = Math.max(last + room, ...moved);
  const whole = (ms: number) => ms / MINUTE_MS;
  return { from: Math.floor(whole(from)) * MINUTE_MS, to: Math.ceil(whole(to)) * MINUTE_MS };
}

/** Position of a time, from 0 to 1. */
export function placeOf(at: number, { from, to }: Span): number {
  return Math.max(0, Math.min(1, (at - from) / (to - from)));
}

export type Times = Readonly<Partial<Record<Phase, number>>>;

/** Reason why a combination of times is invalid; null if it is valid. */
export function faultOf({ start, freeze, end }: Times) {
  if (start !== undefined && end !== undefined && end <= start) return "end_before_start";
  if (freeze === undefined) return null;
  if (start !== undefined && freeze < start) return "freeze_before_start";
  return end !== undefined && freeze > end ? "freeze_after_end" : null;
}

/** Labels closer than this share of the track are on different levels. */
const NEAR = 0.13;

/** Level of each label, so that labels of near times do not overlap; in the order of the places. */
export function levelsOf(places: readonly number[]): readonly number[] {
  const ends: number[] = [];
  const levels = new Map<number, number>();
  const order = places.map((place, at) => ({ place, at })).toSorted((a, b) => a.place - b.place);
  for (const { place, at } of order) {
    const free = ends.findIndex((end) => place - end >= NEAR);
    const level = free === -1 ? ends.length : free;
    ends[level] = place;
    levels.set(at, level);
  }
  return places.map((_, at) => levels.get(at) ?? 0);
}

const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** Distances of ticks. */
const STEPS = [
  ...[5 * MINUTE_MS, 15 * MINUTE_MS, 30 * MINUTE_MS, HOUR_MS, 2 * HOUR_MS, 3 * HOUR_MS],
  ...[6 * HOUR_MS, 12 * HOUR_MS, DAY_MS, 2 * DAY_MS, 7 * DAY_MS, 30 * DAY_MS, 90 * DAY_MS],
];
const TICKS_MAX = 9;

/** Ticks of the axis at round local times; `offset` is the zone's distance from UTC. */
export function ticksOf({ from, to }: Span, offset: number): { at: number[]; isDays: boolean } {
  const step = STEPS.find((one) => (to - from) / one <= TICKS_MAX) ?? 365 * DAY_MS;
  const first = Math.ceil((from + offset) / step) * step - offset;
  const count = Math.max(0, Math.floor((to - first) / step) + 1);
  return {
    at: Array.from({ length: count }, (_, at) => first + at * step),
    isDays: step >= DAY_MS,
  };
}
