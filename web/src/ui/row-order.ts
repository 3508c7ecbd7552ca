/**
 * Rows that change their order, each moved once. React moves every row that a climbing one passes,
 * and a moved row is styled and laid out anew: a climb over thirty rows cost more than a frame.
 */
import { type RefObject, useLayoutEffect, useState } from "react";

interface Placed {
  readonly team: { readonly teamName: string };
}

/** The places of the longest run of rising numbers among `numbers`, which has none twice. */
export function risingPlaces(numbers: readonly number[]): ReadonlySet<number> {
  /** For each length, where the run of it that ends lowest ends. */
  const ends: number[] = [];
  const before = numbers.map((number, place) => {
    const longer = ends.findIndex((end) => (numbers[end] ?? 0) > number);
    const length = longer < 0 ? ends.length : longer;
    ends[length] = place;
    return ends[length - 1];
  });
  const places = new Set<number>();
  for (let place = ends.at(-1); place !== undefined; place = before[place]) places.add(place);
  return places;
}

/** Sorts `body`'s children by `data-place`; as many as can be stay where they are. */
function arrange(body: Element): void {
  const rows = [...body.children];
  const ranks = rows.map((row) => Number(row.getAttribute("data-place")));
  const staying = risingPlaces(ranks);
  if (staying.size === rows.length) return;
  const order = rows.map((_, place) => place);
  order.sort((a, b) => (ranks[a] ?? 0) - (ranks[b] ?? 0));
  let after: Element | null = null;
  for (const place of order.reverse()) {
    const row = rows[place];
    if (!row) continue;
    if (!staying.has(place)) body.insertBefore(row, after);
    after = row;
  }
}

/**
 * The rows in an order that never changes, for React to draw into `body` with their `data-place`;
 * their elements are then sorted by it. React adds and removes children wherever they stand.
 */
export function useRowOrder<Row extends Placed>(
  body: RefObject<HTMLElement | null>,
  rows: readonly Row[],
): readonly Row[] {
  const [turns] = useState(() => new Map<string, number>());
  for (const { team } of rows) {
    if (!turns.has(team.teamName)) turns.set(team.teamName, turns.size);
  }
  const turn = ({ team }: Placed) => turns.get(team.teamName) ?? 0;
  const drawn = [...rows].sort((a, b) => turn(a) - turn(b));
  useLayoutEffect(() => {
    if (body.current) arrange(body.current);
  });
  return drawn;
}
