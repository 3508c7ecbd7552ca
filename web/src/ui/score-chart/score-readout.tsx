/** The scores at one moment of a graph, with a slider for keyboard and touch that moves it. */
import { useMessages } from "../../messages/language";
import { SeriesSample } from "../series/series";
import styles from "./score-chart.module.css";
import { type ChartLine, scoreAt } from "./score-data";

const STEPS = 200;

interface ReadoutProps {
  lines: readonly ChartLine[];
  first: number;
  last: number;
  /** The moment in epoch seconds, from the first to the last. */
  ts: number;
  /** Formats a moment as a clock time. */
  label: (ts: number) => string;
  onMoment: (ts: number) => void;
}

export function ScoreReadout({ lines, first, last, ts, label, onMoment }: ReadoutProps) {
  const { graph: words } = useMessages();
  const read = lines
    .map(({ name, points }, index) => ({ name, index, score: scoreAt(points, ts) }))
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
      <p aria-hidden="true" className="row">
        <strong>{label(ts)}</strong>
        {read.map(({ name, index, score }) => (
          <span key={name}>
            {lines.length > 1 && (
              <>
                <SeriesSample index={index} /> <bdi className="ellipsis">{name}</bdi>{" "}
              </>
            )}
            <b>{score}</b>
          </span>
        ))}
      </p>
    </div>
  );
}
