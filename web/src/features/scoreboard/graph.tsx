/**
 * The scores of the top ten over time: a graph, and the same numbers in a table that opens. The
 * only property is the board; the rest comes from the event info and the session.
 */
import { useState } from "react";
import type { Board } from "../../domain/board";
import { moments } from "../../domain/history";
import { useMessages } from "../../messages/language";
import { clockLabels } from "../../ui/moment/moment";
import { type ChartLine, ScoreChart, scoreAt } from "../../ui/score-chart/score-chart";
import { ScrollTable } from "../../ui/scroll-table/scroll-table";
import { SeriesSample } from "../../ui/series/series";
import { TeamLink } from "../../ui/team-link/team-link";
import { useZone } from "../../ui/zone/zone";
import styles from "./graph.module.css";
import { useGraph } from "./graph-lines";

const MOMENTS = 6;

function ScoreTable({ lines }: { lines: readonly ChartLine[] }) {
  const { graph: words, board, locale } = useMessages();
  const first = lines[0]?.points[0]?.ts ?? 0;
  const last = lines[0]?.points.at(-1)?.ts ?? 0;
  const label = clockLabels(last - first, locale, useZone());
  const columns = moments(first, last, MOMENTS).slice(1, -1);
  return (
    <ScrollTable label={words.table} className={styles.table}>
      <caption className="visually-hidden">{words.table}</caption>
      <thead>
        <tr>
          <th scope="col">#</th>
          <th scope="col">
            <span className="visually-hidden">{words.line}</span>
          </th>
          <th scope="col">{board.team}</th>
          {columns.map((ts) => (
            <th key={ts} scope="col" className="number">
              {label(ts)}
            </th>
          ))}
          <th scope="col" className="number">
            {words.now}
          </th>
        </tr>
      </thead>
      <tbody>
        {lines.map(({ name, points, rank }, index) => (
          <tr key={name}>
            <td>{rank ?? index + 1}</td>
            <td>
              <SeriesSample index={index} />
            </td>
            <th scope="row" className="ellipsis">
              <TeamLink name={name} />
            </th>
            {columns.map((ts) => (
              <td key={ts} className="number">
                {scoreAt(points, ts)}
              </td>
            ))}
            <td className={`number ${styles.now}`}>{scoreAt(points, last)}</td>
          </tr>
        ))}
      </tbody>
    </ScrollTable>
  );
}

export default function ScoreGraph({ board }: { board: Board }) {
  const { graph: words } = useMessages();
  const graph = useGraph(board);
  const [hasNumbers, setHasNumbers] = useState(false);
  return (
    <section id="score-graph" aria-labelledby="score-graph-title" className={styles.graph}>
      <h2 id="score-graph-title">{words.title}</h2>
      <ScoreChart {...graph} label={words.label} />
      <details
        className={styles.numbers}
        onToggle={({ currentTarget }) => setHasNumbers(currentTarget.open)}
      >
        <summary>{words.numbers}</summary>
        {hasNumbers && <ScoreTable lines={graph.lines} />}
      </details>
    </section>
  );
}
