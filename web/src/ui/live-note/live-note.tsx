/** A small note: whether the board is live, else how old it is. */
import { useMessages } from "../../messages/language";
import { useZone } from "../zone/zone";
import styles from "./live-note.module.css";

interface LiveNoteProps {
  online: boolean;
  paused: boolean;
  updatedAtMs: number | null;
}

export function LiveNote({ online, paused, updatedAtMs }: LiveNoteProps) {
  const { live, locale } = useMessages();
  const timeZone = useZone();
  let text: string = live.connecting;
  if (online) text = live.online;
  else if (paused) text = live.paused;
  else if (updatedAtMs !== null)
    text = live.offline(new Date(updatedAtMs).toLocaleTimeString(locale, { timeZone }));
  return (
    <p className={styles.note} data-online={online} role="status">
      {text}
    </p>
  );
}
