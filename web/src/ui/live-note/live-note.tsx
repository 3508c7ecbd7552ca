/**
 * A small note that shows whether the scoreboard is live, or how old it is. While requests fail,
 * the page as a whole is not live, even if the scoreboard still is.
 */
import { useMessages } from "../../messages/language";
import { useZone } from "../zone/zone";
import styles from "./live-note.module.css";

interface LiveNoteProps {
  online: boolean;
  paused: boolean;
  updatedAtMs: number | null;
  /** True while requests fail. */
  isDown: boolean;
}

export function LiveNote({ online, paused, updatedAtMs, isDown }: LiveNoteProps) {
  const { live, locale } = useMessages();
  const timeZone = useZone();
  let text: string = live.connecting;
  if (online && !isDown) text = live.online;
  else if (paused) text = live.paused;
  else if (!online && updatedAtMs !== null)
    text = live.offline(new Date(updatedAtMs).toLocaleTimeString(locale, { timeZone }));
  return (
    <p className={styles.note} data-online={online && !isDown} role="status">
      {text}
    </p>
  );
}
