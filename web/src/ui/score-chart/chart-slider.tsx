/**
 * A slider below the axis that reads the scores at one time, for keyboard, touch and screen
 * readers. The time is at its thumb.
 */
import type { CSSProperties } from "react";
import { useMessages } from "../../messages/language";
import styles from "./score-chart.module.css";
import type { ChartScore } from "./score-data";

/** The slider counts in steps, because its end must be exactly the last time. */
const STEPS = 200;

interface SliderProps {
  first: number;
  last: number;
  /** Selected time in epoch seconds, within the range of the lines. */
  ts: number;
  scores: readonly ChartScore[];
  /** Formats an epoch time as a clock time. */
  clock: (ts: number) => string;
  onMoment: (ts: number) => void;
}

export function ChartSlider({ first, last, ts, scores, clock, onMoment }: SliderProps) {
  const { graph: words } = useMessages();
  const values = scores.map(({ name, score }) => (scores.length > 1 ? `${name} ${score}` : score));
  const share = last > first ? (ts - first) / (last - first) : 1;
  return (
    <div className={styles.time} style={{ "--share": share } as CSSProperties}>
      <input
        type="range"
        className={styles.slider}
        aria-label={words.moment}
        aria-valuetext={`${clock(ts)}: ${values.join(", ")}`}
        min={0}
        max={STEPS}
        step={1}
        value={Math.round(share * STEPS)}
        onChange={({ target: { valueAsNumber: step } }) =>
          onMoment(step < STEPS ? first + (last - first) * (step / STEPS) : last)
        }
      />
      <p className={styles.readout} aria-hidden="true">
        {clock(ts)} {scores.length === 1 && <b>{scores[0]?.score}</b>}
      </p>
    </div>
  );
}
