/** The scores at the crosshair, and what happened there. */
import type { CSSProperties } from "react";
import { useMessages } from "../../messages/language";
import { SeriesSample } from "../series/series";
import { Drop } from "./drop";
import styles from "./score-chart.module.css";
import type { ChartBlood, ChartScore } from "./score-data";

interface TipProps {
  /** Position in pixels of the plot. */
  x: number;
  hasRoomBefore: boolean;
  /** The time at the crosshair. */
  time: string;
  scores: readonly ChartScore[];
  /** First bloods near the crosshair. */
  bloods: readonly ChartBlood[];
  active: string | null;
}

/** Hidden from screen readers, which read the slider. */
export function ChartTip({ x, hasRoomBefore, time, scores, bloods, active }: TipProps) {
  const { firstBlood } = useMessages();
  return (
    <div
      className={styles.tip}
      data-before={hasRoomBefore}
      style={{ "--x": `${x}px` } as CSSProperties}
      aria-hidden="true"
    >
      <strong>{time}</strong>
      {scores.length > 1 ? (
        <ol className="plain-list">
          {scores.map(({ name, index, score }) => (
            <li key={name} data-active={name === active}>
              <SeriesSample index={index} />
              <bdi className="ellipsis">{name}</bdi>
              <span className={styles.score}>{score}</span>
            </li>
          ))}
        </ol>
      ) : (
        <span className={styles.score}>{scores[0]?.score}</span>
      )}
      {bloods.map(({ name, challenge }) => (
        <p key={challenge} className={styles.blood}>
          <Drop />
          <span>
            <bdi>{name}</bdi> <span className="quiet">{firstBlood.solvedFirst(challenge)}</span>
          </span>
        </p>
      ))}
    </div>
  );
}
