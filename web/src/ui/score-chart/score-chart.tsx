/** The score graph. Its plot is a chunk of its own, fetched when a graph is first shown. */
import { type CSSProperties, Suspense } from "react";
import { useMessages } from "../../messages/language";
import { chunkPart } from "../chunk-part/chunk-part";
import { Loading } from "../loading/loading";
import styles from "./score-chart.module.css";
import type { ChartLine } from "./score-data";

export { scoreAt } from "./score-data";

const Plot = chunkPart<{ lines: ChartLine[]; label: string }>("graph", () => import("./plot"));

export function ScoreChart(props: { lines: ChartLine[]; label: string }) {
  const { loading } = useMessages();
  return (
    <Suspense
      fallback={
        <div className={styles.space} style={{ "--lines": props.lines.length } as CSSProperties}>
          <Loading label={loading.graph} />
        </div>
      }
    >
      <Plot {...props} />
    </Suspense>
  );
}
