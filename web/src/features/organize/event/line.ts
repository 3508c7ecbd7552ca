/** The time line of an event: what is on it, where, and which times have no meaning. Pure. */
import type { ListedChallenge, Notice, Overview } from "../../../api/organize-lists";

export const MINUTE_MS = 60_000;

/** The times that `event.times` moves. */
export const PHASES = ["start", "freeze", "end"] as const;
export type Phase = (typeof PHASES)[number];

export interface Handle {
  /** A phase, or the time of a release. */
  readonly key: string;
  readonly phase: Phase | null;
  readonly at: number;
  /** The challenges that are released together then. */
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

/** The phases that have a time, then the releases to come, those of one time together. */
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

/** Challenges that close, and notices that wait for their time. */
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

/** What a line shows, in epoch milliseconds of whole minutes. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** Room on both sides, so that the ends can be moved. */
export function spanOf(times: readonly number[], moved: readonly number[]): Span {
  const [first, last] = [Math.min(...times), Math.max(...times)];
  const room = Math.max((last - first) / 4, 60 * MINUTE_MS);
  const from = Math.min(first - room, ...moved);
  const to = Math.max(last + room, ...moved);
  const whole = (ms: number) => ms / MINUTE_MS;
  return { from: Math.floor(whole(from)) * MINUTE_MS, to: Math.ceil(whole(to)) * MINUTE_MS };
}

/** The place of a time, from 0 to 1. */
export function placeOf(at: number, { from, to }: Span): number {
  return Math.max(0, Math.min(1, (at - from) / (to - from)));
}

export type Times = Readonly<Partial<Record<Phase, number>>>;

/** Why the times have no meaning together; null if they have one. */
export function faultOf({ start, freeze, end }: Times) {
  if (start !== undefined && end !== undefined && end <= start) return "end_before_start";
  if (freeze === undefined) return null;
  if (start !== undefined && freeze < start) return "freeze_before_start";
  return end !== undefined && freeze > end ? "freeze_after_end" : null;
}
