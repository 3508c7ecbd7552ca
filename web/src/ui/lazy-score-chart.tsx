/** The score graph, fetched when it is first drawn. */
import { Suspense } from "react";
import { useMessages } from "../messages/language";
import { chunkPart } from "./chunk-part";
import { Loading } from "./loading";
import type { ChartLine } from "./score-data";

const ScoreChart = chunkPart<{ lines: ChartLine[]; label: string }>(
  "graph",
  () => import("./score-chart"),
);

export function LazyScoreChart(props: { lines: ChartLine[]; label: string }) {
  const { loading } = useMessages();
  return (
    <Suspense fallback={<Loading label={loading.graph} />}>
      <ScoreChart {...props} />
    </Suspense>
  );
}
