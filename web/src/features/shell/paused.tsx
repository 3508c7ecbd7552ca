/** The banner on every page while the event is paused, announced to screen readers. */
import { useIsPaused } from "../../api/clock";
import { useMessages } from "../../messages/language";
import styles from "../../ui/status-banner/status-banner.module.css";

export function Paused() {
  const { paused } = useMessages();
  if (!useIsPaused()) return null;
  return (
    <p role="alert" className={styles.banner}>
      {paused.banner}
    </p>
  );
}
