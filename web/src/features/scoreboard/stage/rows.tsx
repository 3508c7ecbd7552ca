/** One table of the projector: few rows grow to its height, and a bar shows the share of points. */
import { type CSSProperties, useRef } from "react";
import type { RankedTeam } from "../../../domain/board";
import { useMessages } from "../../../messages/language";
import { Flag } from "../../../ui/flag/flag";
import { useGlide } from "../../../ui/glide/glide";
import { Pennant } from "../../../ui/pennant/pennant";
import styles from "./stage.module.css";

interface StageTableProps {
  caption: string;
  rows: readonly RankedTeam[];
  /** The leader's points. */
  pointsMax: number;
  ownTeam: string | null;
}

/** A share of the leader's points, from 0 to 1. */
function shareOf({ points }: RankedTeam, pointsMax: number): CSSProperties {
  const share = Math.max(0, points / Math.max(1, pointsMax));
  return { "--share": share } as CSSProperties;
}

export function StageTable({ caption, rows, pointsMax, ownTeam }: StageTableProps) {
  const { board } = useMessages();
  const body = useRef<HTMLTableSectionElement>(null);
  useGlide(body, rows);
  return (
    <div className={styles.rows}>
      <table className={styles.table}>
        <caption className="visually-hidden">{caption}</caption>
        <colgroup>
          <col className={styles.rankColumn} />
          <col className={styles.flagColumn} />
          <col />
          <col className={styles.scoreColumn} />
        </colgroup>
        <thead className="visually-hidden">
          <tr>
            <th scope="col">#</th>
            <th scope="col">{board.country}</th>
            <th scope="col">{board.team}</th>
            <th scope="col">{board.score}</th>
          </tr>
        </thead>
        <tbody ref={body}>
          {rows.map((row) => {
            const { teamName, country } = row.team;
            return (
              <tr
                key={teamName}
                data-rank={pointsMax > 0 ? row.rank : undefined}
                data-own={teamName === ownTeam}
                style={shareOf(row, pointsMax)}
              >
                <td className={styles.rank}>{row.rank}</td>
                <td className={styles.country}>
                  <Pennant name={teamName} size="large" />
                  <Flag code={country} />
                </td>
                <th scope="row">
                  <bdi>{teamName}</bdi>
                </th>
                <td className={styles.score}>{row.points}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}
