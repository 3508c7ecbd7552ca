/** The page before the start: the time that is left, and the first three steps. */
import { useSecondsUntil } from "../../api/clock";
import { useCtf } from "../../api/queries";
import { remaining, UNITS } from "../../domain/countdown";
import { sampleFlag } from "../../domain/flag-format";
import { useMessages } from "../../messages/language";
import styles from "./before.module.css";

function TimeLeft({ startMs }: { startMs: number }) {
  const { home } = useMessages();
  const left = remaining(startMs, useSecondsUntil(startMs));
  return (
    <p className={styles.time} role="timer" aria-label={home.untilStart}>
      {UNITS.map((unit) => (
        <span key={unit}>
          <strong>{String(left[unit]).padStart(2, "0")}</strong> <span>{home.units[unit]}</span>
        </span>
      ))}
    </p>
  );
}

export function Before() {
  const { challenges: words, home } = useMessages();
  const info = useCtf().data?.info;
  if (!info) return null;
  return (
    <section aria-label={words.list} tabIndex={-1} data-content className={styles.before}>
      {info.startTime !== null && <TimeLeft startMs={info.startTime} />}
      <p className={styles.note}>{words.atTheStart}</p>
      <h2>{home.firstTime}</h2>
      <ol className={styles.steps}>
        {home.steps(sampleFlag(info.flagFormat)).map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
    </section>
  );
}
