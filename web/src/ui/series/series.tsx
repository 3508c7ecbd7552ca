/** The styles of a graph's lines, shared by the canvas and the table. */
import styles from "./series.module.css";

/** Lengths of dash and gap in pixels; an empty list is a solid line. */
export const SERIES_DASHES: readonly (readonly number[])[] = [
  [],
  [10, 4],
  [3, 3],
  [12, 4, 3, 4],
  [6, 2],
  [18, 4],
  [2, 5],
  [8, 3, 2, 3, 2, 3],
  [4, 7],
  [14, 3, 6, 3],
  [1, 3],
];

/** The CSS custom property of a line's color. */
export function seriesColour(index: number): string {
  return `--series-${index % SERIES_DASHES.length}`;
}

/** A sample of a line, for the table's row. */
export function SeriesSample({ index }: { index: number }) {
  const dashes = SERIES_DASHES[index % SERIES_DASHES.length] ?? [];
  return (
    <svg viewBox="0 0 40 6" className={styles.sample} aria-hidden="true" focusable="false">
      <line
        x1="0"
        y1="3"
        x2="40"
        y2="3"
        stroke={`var(${seriesColour(index)})`}
        strokeWidth="3"
        strokeDasharray={dashes.join(" ")}
      />
    </svg>
  );
}
