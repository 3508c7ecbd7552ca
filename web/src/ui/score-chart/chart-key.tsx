/** The meaning of the marks in a plot, as far as it has them, and the cause of falling lines. */
import { useMessages } from "../../messages/language";
import { Drop } from "./drop";
import styles from "./score-chart.module.css";
import type { ChartStory } from "./score-data";

interface KeyProps {
  story: ChartStory | undefined;
  hasLeads: boolean;
  isFalling: boolean;
}

export function ChartKey({ story, hasLeads, isFalling }: KeyProps) {
  const { firstBlood, graph, statusBanner } = useMessages();
  const { bloods = [], freezeTs = null, endTs = null } = story ?? {};
  return (
    <ul className={`plain-list ${styles.key}`}>
      {bloods.length > 0 && (
        <li>
          <Drop /> {firstBlood.title}
        </li>
      )}
      {hasLeads && (
        <li>
          <span className={styles.notch} aria-hidden="true" /> {graph.lead}
        </li>
      )}
      {freezeTs !== null && (
        <li>
          <span className={styles.hatch} aria-hidden="true" /> {statusBanner.frozen}
        </li>
      )}
      {endTs !== null && (
        <li>
          <span className={styles.end} aria-hidden="true" /> {statusBanner.ended}
        </li>
      )}
      {isFalling && <li>{graph.falls}</li>}
    </ul>
  );
}
