/** Score lines in the plot's format: one list of times, and one list of scores for each line. */

export interface ChartLine {
  readonly name: string;
  /** In order of time; a score holds until the next point. */
  readonly points: readonly { readonly ts: number; readonly points: number }[];
}

/** Every time at which a line changes, and each line's score at every one of them. */
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

/** The score at a moment; before the line's first point, its first score. */
export function scoreAt(points: ChartLine["points"], ts: number): number {
  const past = points.findLast((point) => point.ts <= ts) ?? points[0];
  return past?.points ?? 0;
}

/** Positions of labels without overlap: each at its wish or below the one before. */
export function spread(wishes: readonly number[], gap: number, bottom: number): number[] {
  const order = wishes.map((_, index) => index).sort((a, b) => at(wishes, a) - at(wishes, b));
  const places = [...wishes];
  order.forEach((index, turn) => {
    const before = order[turn - 1];
    if (before === undefined) return;
    places[index] = Math.max(at(places, index), at(places, before) + gap);
  });
  let limit = bottom;
  for (const index of order.reverse()) {
    places[index] = Math.min(at(places, index), limit);
    limit = at(places, index) - gap;
  }
  return places;
}

function at(values: readonly number[], index: number): number {
  return values[index] ?? 0;
}
