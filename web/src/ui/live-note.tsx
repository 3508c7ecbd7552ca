/** Says quietly whether the board is live, and what is shown while it is not. */
import { useMessages } from "../messages/language";
import styles from "./live-note.module.css";

export function LiveNote({ online, heardAtMs }: { online: boolean; heardAtMs: number | null }) {
  const { live, locale } = useMessages();
  const text = online
    ? live.online
    : heardAtMs === null
      ? live.connecting
      : live.offline(new Date(heardAtMs).toLocaleTimeString(locale));
  return (
    <p className={styles.note} data-online={online} role="status">
      {text}
    </p>
  );
}
