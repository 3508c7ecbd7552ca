/** The status of the event in one line; empty while it runs. */
import styles from "./status-banner.module.css";

export function StatusBanner({ text }: { text: string | null }) {
  return <div role="status">{text && <p className={styles.banner}>{text}</p>}</div>;
}
