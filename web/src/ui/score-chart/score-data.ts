/** Score lines in the plot's format, and what happened to them. */

export interface ChartLine {
  readonly name: string;
  /** Points in order of time; a score holds until the next point. */
  readonly points: readonly { readonly ts: number; readonly points: number }[];
  /** Rank of the team; otherwise the line's place counts. */
  readonly rank?: number | undefined;
}

/** A line's first solve of a challenge. */
export interface ChartBlood {
  /** Name of the line. */
  readonly name: string;
  readonly ts: number;
  readonly challenge: string;
}

/** The event around the lines. Times in epoch seconds. */
export interface ChartStory {
  /** Start and end of the time axis. */
  readonly fromTs: number;
  readonly toTs: number;
  /** Start of the freeze and end of the event; null before them. */
  readonly freezeTs: number | null;
  readonly endTs: number | null;
  readonly ownTeam: string | null;
  readonly bloods: readonly ChartBlood[];
}

/** A change of the lead among the lines. */
export interface ChartLead {
  /** Name of the new leader. */
  readonly name: string;
  readonly ts: number;
}

/** Number of leading lines that are always in color. */
const LEADING = 3;

/** True for a line that is always in color: of a leading team, or of the viewer's. */
export function isLeading(index: number, name: string, ownTeam: string | null): boolean {
  return index < LEADING || name === ownTeam;
}

/** All times at which any line changes, and each line's score at each of them. */
export function alignedLines(lines: readonly ChartLine[]): [number[], ...number[][]] {
  const times = [...new Set(lines.flatMap(({ points }) => points.map(({ ts }) => ts)))];
  times.sort((a, b) => a - b);
  const columns = lines.map(({ points }) => {
    let next = 0;
    let score = points[0]?.points ?? 0;
    return times.map((ts) => {
      for (let point = points[next]; point && point.ts <= ts; point = points[next]) {
        score = point.points;
        next += 1;
      }
      return score;
    });
  });
  return [times, ...columns];
}

/** The score at a time. Before the line's first point, it is the first score. */
export function scoreAt(points: ChartLine["points"], ts: number): number {
  const past = points.findLast((point) => point.ts <= ts) ?? points[0];
  return past?.points ?? 0;
}

/** A line's score at a time, with the line's index. */
export interface ChartScore {
  readonly name: string;
  readonly index: number;
  readonly rank: number;
  readonly score: number;
}

/** All scores at a time, the highest first. */
export function scoresAt(lines: readonly ChartLine[], ts: number): ChartScore[] {
  return lines
    .map(({ name, points, rank }, index) => {
      return { name, index, rank: rank ?? index + 1, score: scoreAt(points, ts) };
    })
    .sort((a, b) => b.score - a.score);
}

/** The changes of the lead. The first leader is none, and a tie keeps the leader. */
export function leadChanges(lines: readonly ChartLine[]): ChartLead[] {
  const [times, ...columns] = alignedLines(lines);
  const leads: ChartLead[] = [];
  let leader = -1;
  times.forEach((ts, at) => {
    const scores = columns.map((column) => column[at] ?? 0);
    const best = Math.max(0, ...scores);
    if (best === 0 || scores[leader] === best) return;
    const isFirst = leader < 0;
    leader = scores.indexOf(best);
    if (!isFirst) leads.push({ name: lines[leader]?.name ?? "", ts });
  });
  return leads;
}

/** The name of the line nearest to a score at a time, if it is within `reach`. */
export function nearestLine(
  lines: readonly ChartLine[],
  ts: number,
  score: number,
  reach: number,
): string | null {
  const distances = lines.map(({ points }) => Math.abs(scoreAt(points, ts) - score));
  const least = Math.min(...distances);
  return least <= reach ? (lines[distances.indexOf(least)]?.name ?? null) : null;
}

/**
 * Positions of labels without overlap, as near as possible to the preferred ones: labels that would
 * overlap are a block around the middle of their wishes.
 */
export function spread(wishes: readonly number[], gap: number, bottom: number): number[] {
  const order = wishes.map((_, index) => index).sort((a, b) => at(wishes, a) - at(wishes, b));
  const blocks: { sum: number; size: number }[] = [];
  order.forEach((index, turn) => {
    let block = { sum: at(wishes, index) - turn * gap, size: 1 };
    let above = blocks.at(-1);
    while (above && above.sum / above.size > block.sum / block.size) {
      block = { sum: above.sum + block.sum, size: above.size + block.size };
      blocks.pop();
      above = blocks.at(-1);
    }
    blocks.push(block);
  });
  const limit = bottom - (order.length - 1) * gap;
  const starts = blocks.flatMap(({ sum, size }) =>
    Array<number>(size).fill(Math.min(Math.max(0, sum / size), limit)),
  );
  const places = [...wishes];
  order.forEach((index, turn) => {
    places[index] = at(starts, turn) + turn * gap;
  });
  return places;
}

function at(values: readonly number[], index: number): number {
  return values[index] ?? 0;
}
