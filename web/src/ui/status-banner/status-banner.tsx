/** The line that says where the event stands; nothing while it runs. */
import styles from "./status-banner.module.css";

export function StatusBanner({ text }: { text: string | null }) {
  return <div role="status">{text && <p className={styles.banner}>{text}</p>}</div>;
}
