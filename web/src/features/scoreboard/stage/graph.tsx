/** The score graph on the projector, which alternates with the tables. */
import { useMessages } from "../../../messages/language";
import { ScoreChart } from "../../../ui/score-chart/score-chart";
import type { useGraph } from "../graph-lines";
import styles from "./stage.module.css";

export function StageGraph(graph: ReturnType<typeof useGraph>) {
  const { graph: words } = useMessages();
  return (
    <section aria-label={words.title} className={styles.graph}>
      <h2>{words.title}</h2>
      <ScoreChart {...graph} label={words.table} isStill />
    </section>
  );
}
