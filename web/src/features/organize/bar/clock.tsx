/** Status of the event, the time that is left, and the line from start to end. */
import type { CSSProperties } from "react";
import type { Overview } from "../../../api/organize-lists";
import { useOrganizeMessages, wordFor } from "../../../messages/organize/words";
import { durationText, useNow } from "../frame/clock";
import { useShortMomentText } from "../frame/moment";
import { useEventZone } from "../time-field";
import styles from "./bar.module.css";
import { PauseIcon } from "./icons";

interface Times {
  readonly start: Overview["start"];
  readonly freeze: Overview["freeze"];
  readonly end: Overview["end"];
}

/** Share of the event at a time, as a percentage. */
function shareOf(at: number, start: number, end: number): string {
  const share = (at - start) / Math.max(1, end - start);
  return `${(Math.max(0, Math.min(1, share)) * 100).toFixed(2)}%`;
}

/** The event from start to end, with the freeze and the present. */
function Progress({ start, freeze, end, now }: Times & { now: number }) {
  const { frame, console: words } = useOrganizeMessages();
  const zone = useEventZone();
  const text = useShortMomentText();
  if (!start || !end || end <= start) return null;
  const share = (at: number) => shareOf(at, start, end);
  const shares = { "--now": share(now), "--freeze": share(freeze ?? end) } as CSSProperties;
  const times = frame.times(text(start), freeze ? text(freeze) : null, text(end));
  const name = `${times}. ${words.timesShown(zone)}`;
  return (
    <span className={styles.progress} title={name}>
      <span aria-hidden="true">{text(start)}</span>
      <span role="img" aria-label={name} className={styles.line} style={shares}>
        {freeze && freeze < end && <span className={styles.frozenPart} />}
        <span className={styles.past} />
        <span className={styles.now} />
      </span>
      <span aria-hidden="true">{text(end)}</span>
    </span>
  );
}

export function EventClock({ overview, readAt }: { overview: Overview; readAt: number }) {
  const { head } = useOrganizeMessages().pages;
  const now = useNow(overview.now - readAt);
  const { start, end, freeze, status, isPaused } = overview;
  const next = [
    { at: start, text: head.until.start },
    { at: end, text: head.until.end },
  ].find(({ at }) => at !== null && at !== undefined && at > now);
  return (
    <>
      {isPaused ? (
        <span className={styles.paused}>
          <PauseIcon />
          <span>{head.paused}</span>
        </span>
      ) : (
        <span className={styles.status} data-status={status}>
          <span>{wordFor(head.status, status)}</span>
        </span>
      )}
      {next?.at && (
        <span role="timer" aria-live="off" className={styles.left}>
          <strong>{durationText(next.at - now)}</strong> <span>{next.text}</span>
        </span>
      )}
      <Progress start={start} freeze={freeze} end={end} now={now} />
    </>
  );
}
