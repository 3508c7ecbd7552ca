/** The last minute before the start fills the projector, and so does the start itself. */
import { useSecondsUntil, useStatus } from "../../../api/clock";
import { useCtf } from "../../../api/queries";
import type { Board } from "../../../domain/board";
import { useMessages } from "../../../messages/language";
import { Pennant } from "../../../ui/pennant/pennant";
import styles from "./opening.module.css";
import { useTurn } from "./turn";

const LAST_MS = 60_000;
const SHOWN_MS = 8000;
const PENNANTS_MAX = 12;
const RADIUS = 47;
const LENGTH = 2 * Math.PI * RADIUS;

function LastMinute({ startMs }: { startMs: number }) {
  const { stage: words } = useMessages();
  const leftMs = startMs - useSecondsUntil(startMs);
  if (leftMs > LAST_MS) return null;
  const seconds = Math.max(0, Math.ceil(leftMs / 1000));
  const filled = (LENGTH * seconds * 1000) / LAST_MS;
  return (
    <div className={styles.opening} role="timer" aria-label={`${words.untilStart} ${seconds}`}>
      <p className={styles.label}>{words.untilStart}</p>
      <svg viewBox="0 0 100 100" className={styles.ring} aria-hidden="true">
        <circle cx="50" cy="50" r={RADIUS} className={styles.track} />
        <circle
          cx="50"
          cy="50"
          r={RADIUS}
          className={styles.arc}
          strokeDasharray={`${filled} ${LENGTH}`}
          transform="rotate(-90 50 50)"
        />
        <text key={seconds} x="50" y="50" className={styles.seconds}>
          {seconds}
        </text>
      </svg>
    </div>
  );
}

export function Opening({ board }: { board: Board | null }) {
  const { stage: words } = useMessages();
  const status = useStatus();
  const startMs = useCtf().data?.info.startTime ?? null;
  const hasBegun = useTurn("not_started", "running", SHOWN_MS);
  const names = board?.teams.slice(0, PENNANTS_MAX).map(({ teamName }) => teamName) ?? [];
  return (
    <>
      {status === "not_started" && startMs !== null && <LastMinute startMs={startMs} />}
      <div role="status">
        {hasBegun && (
          <div className={styles.opening} data-begun>
            <p className={styles.begun}>{words.begun}</p>
            <p className={styles.pennants}>
              {names.map((name) => (
                <Pennant key={name} name={name} size="large" />
              ))}
            </p>
          </div>
        )}
      </div>
    </>
  );
}
