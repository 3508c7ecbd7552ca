/** The first five rows of the board, and the own one when it is not among them. */
import { useMemo } from "react";
import { type Board, boardWindow, rankTeams } from "../../domain/board";
import { BoardTable } from "../../ui/board-table";
import { Loading } from "../../ui/loading";
import styles from "./challenges.module.css";

const ROWS_MAX = 5;

function SnapshotTable({ board, team }: { board: Board; team: string }) {
  const ranked = useMemo(() => rankTeams(board), [board]);
  const { rows, own } = boardWindow(ranked, 1, ROWS_MAX, team);
  return <BoardTable caption="Scoreboard snapshot" rows={rows} ownRow={own} ownTeam={team} />;
}

export function Snapshot({ board, team }: { board: Board | null; team: string }) {
  return (
    <section aria-labelledby="snapshot">
      <h2 id="snapshot" className={styles.sideTitle}>
        Scoreboard
      </h2>
      {board ? <SnapshotTable board={board} team={team} /> : <Loading what="the scoreboard" />}
    </section>
  );
}
