/**
 * Reorders rows with the fewest moves. The browser restyles and lays out each moved row, so moving
 * every row that a climbing row passes took longer than a frame.
 */

/** Indexes of a longest increasing subsequence of the distinct `numbers`. */
export function risingPlaces(numbers: readonly number[]): ReadonlySet<number> {
  /** For each length, the index of the smallest number that ends a subsequence of it. */
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

/** Makes `wanted` the children of `parent`, in order, with the fewest moves. */
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
