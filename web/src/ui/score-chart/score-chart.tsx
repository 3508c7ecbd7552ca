/** The score graph. Its plot is in a separate chunk, fetched when a graph is first shown. */
import { type CSSProperties, Suspense } from "react";
import { useMessages } from "../../messages/language";
import { chunkPart } from "../chunk-part/chunk-part";
import { Loading } from "../loading/loading";
import styles from "./score-chart.module.css";
import type { ChartLine, ChartStory } from "./score-data";

export type { ChartBlood, ChartLine, ChartStory } from "./score-data";
export { scoreAt } from "./score-data";

export interface ScoreChartProps {
  /** One line is drawn alone; several have their names at their ends. */
  lines: readonly ChartLine[];
  label: string;
  /** Without it, the axis spans the lines. */
  story?: ChartStory | undefined;
  /** True if later solves of other teams lower the scores, which the key then explains. */
  isFalling?: boolean;
  /** True for a picture that is only looked at, as on a projector. */
  isStill?: boolean;
}

const Plot = chunkPart<ScoreChartProps>("graph", () => import("./plot"));

export function ScoreChart(props: ScoreChartProps) {
  const { loading } = useMessages();
  const { lines, story, isStill = false, isFalling = false } = props;
  const shape = { "--lines": lines.length, "--story": Number(story !== undefined) };
  return (
    <Suspense
      fallback={
        <div
          className={styles.space}
          data-still={isStill}
          style={{ ...shape, "--falling": Number(isFalling) } as CSSProperties}
        >
          <Loading label={loading.graph} />
        </div>
      }
    >
      <Plot {...props} />
    </Suspense>
  );
}
