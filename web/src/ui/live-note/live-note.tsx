/** Says quietly whether the board is live, and what is shown while it is not. */
import { useMessages } from "../../messages/language";
import styles from "./live-note.module.css";

interface LiveNoteProps {
  online: boolean;
  paused: boolean;
  heardAtMs: number | null;
}

export function LiveNote({ online, paused, heardAtMs }: LiveNoteProps) {
  const { live, locale } = useMessages();
  let text: string = live.connecting;
  if (online) text = live.online;
  else if (paused) text = live.paused;
  else if (heardAtMs !== null) text = live.offline(new Date(heardAtMs).toLocaleTimeString(locale));
  return (
    <p className={styles.note} data-online={online} role="status">
      {text}
    </p>
  );
}
