/**
 * The scores at one moment of a graph. A slider below the graph, for keyboard and touch, moves a
 * cursor line over it, as the pointer does; its value text is the moment and the scores.
 */
import { useMessages } from "../../messages/language";
import { SeriesSample } from "../series/series";
import styles from "./score-chart.module.css";
import { type ChartLine, scoresAt } from "./score-data";

const STEPS = 200;

interface ReadoutProps {
  lines: readonly ChartLine[];
  data: [number[], ...number[][]];
  /** The moment in epoch seconds. */
  ts: number;
  /** Formats a moment as a clock time. */
  label: (ts: number) => string;
  onMoment: (ts: number) => void;
}

export function ScoreReadout({ lines, data, ts, label, onMoment }: ReadoutProps) {
  const { graph: words } = useMessages();
  const [first = 0] = data[0];
  const last = data[0].at(-1) ?? first;
  const scores = scoresAt(data, ts);
  const read = lines
    .map(({ name }, index) => ({ name, index, score: scores[index] ?? 0 }))
    .sort((a, b) => b.score - a.score);
  const values = read.map(({ name, score }) => (lines.length > 1 ? `${name} ${score}` : score));
  return (
    <div className={styles.readout}>
      <input
        type="range"
        aria-label={words.moment}
        aria-valuetext={`${label(ts)}: ${values.join(", ")}`}
        min={first}
        max={last}
        step={(last - first) / STEPS || 1}
        value={ts}
        onChange={(event) => onMoment(event.target.valueAsNumber)}
      />
      <p aria-hidden="true">
        <strong>{label(ts)}</strong>
        {read.map(({ name, index, score }) => (
          <span key={name}>
            {lines.length > 1 && (
              <>
                <SeriesSample index={index} /> <bdi>{name}</bdi>{" "}
              </>
            )}
            <b>{score}</b>
          </span>
        ))}
      </p>
    </div>
  );
}
