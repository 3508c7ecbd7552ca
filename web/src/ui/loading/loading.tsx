/** The loading placeholder: grey bars, and a text for screen readers. */
import styles from "./loading.module.css";

const WIDTHS = [styles.wide, styles.middle, styles.wide, styles.narrow, styles.middle];

export function Loading({ label }: { label: string }) {
  return (
    <div className={styles.loading} role="status" aria-label={label} data-skeleton>
      {WIDTHS.map((width, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the bars never change.
        <span key={index} className={width} />
      ))}
    </div>
  );
}
