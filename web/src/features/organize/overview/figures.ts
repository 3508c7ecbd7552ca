/** Figures of the event and the server, their limits, and their samples of an hour. Pure. */
import type { Overview, SentFlag } from "../../../api/organize-lists";

const GB = 1e9;
/** Minimum of free disk space, as in the server's warning. */
const DISK_MIN_GB = 2 ** 30 / GB;
/** Free disk space below which it is near the minimum. */
const DISK_NEAR_GB = 5;
/** Maximum of a write, as in the server's warning. */
const SLOWEST_MAX_MS = 500;
/** Share of the open file limit at which the server warns. */
const FILES_SHARE = 0.8;
/** Share of a limit from which a figure is near it. */
const NEAR = 0.6;

export const FIGURES = [
  ...(["teams", "solves", "right", "wrong", "online", "slowest", "disk", "nodes"] as const),
];
export type FigureName = (typeof FIGURES)[number];
export type FigureState = "good" | "warn" | "bad" | "quiet";

export interface Figure {
  readonly name: FigureName;
  readonly value: number;
  readonly unit?: string;
  readonly limit?: number;
  readonly state: FigureState;
}

const stateOf = (isBad: boolean, isNear: boolean): FigureState => {
  if (isBad) return "bad";
  return isNear ? "warn" : "good";
};

/** Figures that the viewer may see. */
export function figuresOf({ teams, solves, health }: Overview): readonly Figure[] {
  const figures: Figure[] = [
    { name: "teams", value: teams.playing, state: "quiet" },
    { name: "solves", value: solves, state: "quiet" },
  ];
  if (!health) return figures;
  const { flagsPerSecond: flags, lane, process, diskFreeBytes, sockets, nodes, ready } = health;
  if (flags) {
    figures.push({ name: "right", value: flags.right, state: "quiet" });
    figures.push({ name: "wrong", value: flags.wrong, state: "quiet" });
  }
  const max = process ? Math.floor(process.filesMax * FILES_SHARE) : undefined;
  const files = process?.files ?? 0;
  const load = max === undefined ? "quiet" : stateOf(files > max, files > NEAR * max);
  figures.push({ name: "online", value: sockets, state: load, ...(max && { limit: max }) });
  if (lane) {
    const { slowestMs: value } = lane;
    const state = stateOf(value > SLOWEST_MAX_MS, value > NEAR * SLOWEST_MAX_MS);
    figures.push({ name: "slowest", value, unit: "ms", limit: SLOWEST_MAX_MS, state });
  }
  if (typeof diskFreeBytes === "number") {
    const value = diskFreeBytes / GB;
    const state = stateOf(value < DISK_MIN_GB, value < DISK_NEAR_GB);
    figures.push({ name: "disk", value, unit: "GB", limit: DISK_MIN_GB, state });
  }
  figures.push({ name: "nodes", value: nodes, state: stateOf(ready === false, false) });
  return figures;
}

const MINUTE_MS = 60_000;
export const MINUTES = 60;

/** Value of each figure at the end of a minute, by minutes since the epoch. */
export type History = Readonly<Record<number, Readonly<Partial<Record<FigureName, number>>>>>;

export const minuteOf = (ms: number) => Math.floor(ms / MINUTE_MS);

/** Adds the current figures to the history of the last hour. The slowest write stays. */
export function withSample(history: History, figures: readonly Figure[], now: number): History {
  const minute = minuteOf(now);
  const kept = Object.entries(history).filter(([at]) => minute - Number(at) <= MINUTES);
  const before = history[minute]?.slowest ?? 0;
  const sample = Object.fromEntries(
    figures.map(({ name, value }) => [name, name === "slowest" ? Math.max(value, before) : value]),
  );
  return { ...Object.fromEntries(kept), [minute]: sample };
}

/**
 * Adds the minutes before the page was opened, as far as the newest solves reach: the number of
 * solves and the rate of correct flags. `flags` are newest first.
 */
export function withSolves(
  history: History,
  flags: readonly Pick<SentFlag, "at">[],
  isAll: boolean,
  solves: number,
  now: number,
): History {
  const minute = minuteOf(now);
  const oldest = isAll ? minute - MINUTES : minuteOf(flags.at(-1)?.at ?? now) + 1;
  const first = Math.max(oldest, minute - MINUTES);
  const filled: Record<number, History[number]> = { ...history };
  for (let at = first; at < minute; at += 1) {
    const after = flags.filter((flag) => minuteOf(flag.at) > at).length;
    const inside = flags.filter((flag) => minuteOf(flag.at) === at).length;
    filled[at] = { right: inside / 60, solves: Math.max(0, solves - after), ...history[at] };
  }
  return filled;
}

/** A point of the graph: minutes before now, and the value. */
export interface Point {
  readonly ago: number;
  readonly value: number;
}

export function pointsOf(history: History, name: FigureName, now: number): readonly Point[] {
  const minute = minuteOf(now);
  return Object.entries(history)
    .flatMap(([at, values]) => {
      const value = values[name];
      return value === undefined ? [] : [{ ago: minute - Number(at), value }];
    })
    .toSorted((a, b) => b.ago - a.ago);
}

export const WIDTH = 120;
export const HEIGHT = 36;

const round = (value: number) => Math.round(value * 10) / 10;

/**
 * Path of the points on a scale from zero, and the height of the limit. A limit far above the
 * values is left out, because the line would be flat.
 */
export function drawing(points: readonly Point[], limit: number | undefined) {
  const highest = Math.max(0, ...points.map(({ value }) => value));
  const hasLimit = limit !== undefined && limit <= 12 * highest;
  const top = Math.max(highest, hasLimit ? limit : 0) * 1.1 || 1;
  const y = (value: number) => round(HEIGHT - (value / top) * (HEIGHT - 1));
  const line = points
    .map(({ ago, value }) => `${round(WIDTH - (ago / MINUTES) * WIDTH)} ${y(value)}`)
    .join("L");
  const [first] = points;
  const left = first ? round(WIDTH - (first.ago / MINUTES) * WIDTH) : WIDTH;
  return {
    line: points.length > 1 ? `M${line}` : "",
    area: points.length > 1 ? `M${line}V${HEIGHT}H${left}z` : "",
    limit: hasLimit ? y(limit) : null,
    /** The last value, for a dot at the end of the line. */
    last: points.length > 0 ? y(points.at(-1)?.value ?? 0) : null,
  };
}
