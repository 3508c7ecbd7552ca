/** The drop that marks a first blood in a plot. */
import styles from "./score-chart.module.css";

/** The drop's outline, in a box of `DROP_BOX`. */
export const DROP = "M8 1.5c2.4 3.2 4.4 5.4 4.4 8A4.4 4.4 0 1 1 3.6 9.5c0-2.6 2-4.8 4.4-8z";
export const DROP_BOX = 16;

export function Drop() {
  return (
    <svg viewBox={`0 0 ${DROP_BOX} ${DROP_BOX}`} className={styles.drop} aria-hidden="true">
      <path d={DROP} fill="currentColor" />
    </svg>
  );
}
