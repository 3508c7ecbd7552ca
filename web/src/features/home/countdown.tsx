/** Four rings that empty until the start: days (of 30), hours, minutes, seconds. */
import { useSecondsUntil } from "../../api/clock";
import { type Remaining, remaining, ringShare, UNITS, type Unit } from "../../domain/countdown";
import { useMessages } from "../../messages/language";
import styles from "./home.module.css";

const RADIUS = 44;
const LENGTH = 2 * Math.PI * RADIUS;

function Ring({ unit, left }: { unit: Unit; left: Remaining }) {
  const { home } = useMessages();
  const filled = LENGTH * ringShare(unit, left);
  return (
    <div className={styles.ring}>
      <svg viewBox="0 0 100 100" aria-hidden="true">
        <circle cx="50" cy="50" r={RADIUS} className={styles.track} />
        <circle
          cx="50"
          cy="50"
          r={RADIUS}
          className={styles.arc}
          strokeDasharray={`${filled} ${LENGTH}`}
          transform="rotate(-90 50 50)"
        />
      </svg>
      <span className={styles.count}>{left[unit]}</span>
      <span className={styles.unit}>{home.units[unit]}</span>
    </div>
  );
}

export function Countdown({ targetMs }: { targetMs: number }) {
  const { home } = useMessages();
  const nowMs = useSecondsUntil(targetMs);
  const left = remaining(targetMs, nowMs);
  return (
    <div className={styles.rings} role="timer" aria-label={home.untilStart}>
      {UNITS.map((unit) => (
        <Ring key={unit} unit={unit} left={left} />
      ))}
    </div>
  );
}
