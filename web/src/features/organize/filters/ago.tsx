/**
 * A time as "3 min ago". The exact time replaces it while its row is pointed at or has the focus,
 * and screen readers get the exact one.
 */
import { useSyncExternalStore } from "react";
import type { FiltersMessages } from "../../../messages/organize/filters-en";
import { useOrganizeMessages } from "../../../messages/organize/words";
import { useMomentText } from "../frame/moment";
import styles from "./ago.module.css";

const TICK_MS = 5_000;
const MINUTE_S = 60;
const HOUR_S = 60 * MINUTE_S;
const DAY_S = 24 * HOUR_S;

const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

/** Advances all times of the page with one timer. */
function onTick(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(() => {
    for (const tell of listeners) tell();
  }, TICK_MS);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/**
 * Age in seconds, in steps that are visible: 5 seconds in the first minute, then minutes. At most a
 * day, from which the date is shown.
 */
export function ageOf(ms: number, now: number): number {
  const age = Math.min(Math.max(0, now - ms) / 1000, DAY_S);
  const step = age < MINUTE_S ? TICK_MS / 1000 : MINUTE_S;
  return Math.floor(age / step) * step;
}

function relativeText(age: number, words: FiltersMessages["ago"]): string {
  if (age === 0) return words.now;
  if (age < MINUTE_S) return words.seconds(age);
  if (age < HOUR_S) return words.minutes(Math.floor(age / MINUTE_S));
  return words.hours(Math.floor(age / HOUR_S));
}

export function Ago({ ms }: { ms: number | null | undefined }) {
  const { ago } = useOrganizeMessages().filters;
  const exact = useMomentText();
  const age = useSyncExternalStore(onTick, () => ageOf(ms ?? 0, Date.now()));
  if (ms === null || ms === undefined) return <>–</>;
  const isOld = age >= DAY_S;
  return (
    <time dateTime={new Date(ms).toISOString()} className={isOld ? undefined : styles.time}>
      {!isOld && (
        <span aria-hidden="true" className={styles.relative}>
          {relativeText(age, ago)}
        </span>
      )}
      <span className={isOld ? undefined : styles.exact}>{exact(ms)}</span>
    </time>
  );
}
