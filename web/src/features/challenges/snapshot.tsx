/** The first five rows of the board, and the team's own row if it is not among them. */
import { useMemo } from "react";
import { type Board, boardWindow, rankTeams } from "../../domain/board";
import { useMessages } from "../../messages/language";
import { BoardTable } from "../../ui/board-table/board-table";
import { Loading } from "../../ui/loading/loading";
import styles from "./challenges.module.css";

const ROWS_MAX = 5;

function SnapshotTable({ board, team }: { board: Board; team: string }) {
  const { board: words } = useMessages();
  const ranked = useMemo(() => rankTeams(board), [board]);
  const { rows, own } = boardWindow(ranked, 1, ROWS_MAX, team);
  return <BoardTable caption={words.snapshot} rows={rows} ownRow={own} ownTeam={team} />;
}

export function Snapshot({ board, team }: { board: Board | null; team: string }) {
  const messages = useMessages();
  return (
    <section aria-labelledby="snapshot">
      <h2 id="snapshot" className={styles.sideTitle}>
        {messages.board.title}
      </h2>
      <div className={styles.snapshot}>
        {board ? (
          <SnapshotTable board={board} team={team} />
        ) : (
          <Loading label={messages.loading.scoreboard} />
        )}
      </div>
    </section>
  );
}
