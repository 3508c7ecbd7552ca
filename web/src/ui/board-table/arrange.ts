/**
 * Rows that change their order, each moved once. A moved row is styled and laid out anew: to move
 * every row that a climbing one passes cost more than a frame.
 */

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

/** Makes `wanted` the children of `parent`, in this order; as many as can be stay in place. */
export function arrange(parent: Element, wanted: readonly Element[]): void {
  const placed = new Map([...parent.children].map((child, place) => [child, place]));
  const known = wanted.filter((child) => placed.has(child));
  const rising = risingPlaces(known.map((child) => placed.get(child) ?? 0));
  const staying = new Set(known.filter((_, index) => rising.has(index)));
  for (const child of wanted) placed.delete(child);
  for (const gone of placed.keys()) gone.remove();
  let next: Element | null = null;
  for (const child of wanted.toReversed()) {
    if (!staying.has(child)) parent.insertBefore(child, next);
    next = child;
  }
}
