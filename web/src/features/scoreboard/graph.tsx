/** The scores of the top ten over time: a graph, and the same numbers in a table. */
import { useMemo } from "react";
import { useCtf } from "../../api/queries";
import { type Board, rankTeams } from "../../domain/board";
import { moments, type ScoreLine, scoreLines } from "../../domain/history";
import { useMessages } from "../../messages/language";
import { clockLabels } from "../../ui/moment/moment";
import { usePaced } from "../../ui/paced/paced";
import { ScoreChart, scoreAt } from "../../ui/score-chart/score-chart";
import { ScrollTable } from "../../ui/scroll-table/scroll-table";
import { SeriesSample } from "../../ui/series/series";
import { TeamLink } from "../../ui/team-link/team-link";
import { useZone } from "../../ui/zone/zone";
import styles from "./graph.module.css";

const TEAMS_MAX = 10;
const MOMENTS = 6;
const REDRAW_MS = 1000;

/** The score lines of the top ten, in their order, recomputed at most once a second. */
function useTopLines(board: Board): ScoreLine[] {
  const startMs = useCtf().data?.info.startTime ?? null;
  const paced = usePaced(board, REDRAW_MS);
  return useMemo(() => {
    const top = rankTeams(paced).slice(0, TEAMS_MAX);
    const names = top.map(({ team }) => team.teamName);
    return scoreLines(paced, names, startMs === null ? null : startMs / 1000);
  }, [paced, startMs]);
}

function ScoreTable({ lines }: { lines: ScoreLine[] }) {
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
        {lines.map(({ name, points }, index) => (
          <tr key={name}>
            <td>{index + 1}</td>
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
  const lines = useTopLines(board);
  return (
    <section id="score-graph" aria-labelledby="score-graph-title" className={styles.graph}>
      <h2 id="score-graph-title">{words.title}</h2>
      <ScoreChart lines={lines} label={words.label} />
      <ScoreTable lines={lines} />
    </section>
  );
}
