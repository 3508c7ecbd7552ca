/** Says quietly whether the board is live, and what is shown while it is not. */
import styles from "./live-note.module.css";

export function LiveNote({ online, heardAtMs }: { online: boolean; heardAtMs: number | null }) {
  const text = online
    ? "Live"
    : heardAtMs === null
      ? "Connecting"
      : `Offline: the board of ${new Date(heardAtMs).toLocaleTimeString()}, trying again`;
  return (
    <p className={styles.note} data-online={online} role="status">
      {text}
    </p>
  );
}
