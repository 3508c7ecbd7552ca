/** The first five rows of the board, and the team's own row if it is not among them. */
import { useMemo } from "react";
import { type Board, boardWindow, type RankedTeam, rankTeams } from "../../domain/board";
import { hasLaterSolve } from "../../domain/challenges";
import { useMessages } from "../../messages/language";
import { BoardTable } from "../../ui/board-table/board-table";
import { Loading } from "../../ui/loading/loading";
import styles from "./challenges.module.css";
import { Fold } from "./fold";

const ROWS_MAX = 5;

interface SnapshotTableProps {
  ranked: readonly RankedTeam[];
  team: string;
  isLater: boolean;
}

function SnapshotTable({ ranked, team, isLater }: SnapshotTableProps) {
  const { board: words } = useMessages();
  const { rows, own } = boardWindow(ranked, 1, ROWS_MAX, team);
  return (
    <BoardTable
      caption={words.snapshot}
      rows={rows}
      ownRow={own}
      ownTeam={team}
      hasLaterSolve={isLater}
    />
  );
}

export function Snapshot({ board, team }: { board: Board | null; team: string }) {
  const messages = useMessages();
  const ranked = useMemo(() => board && rankTeams(board), [board]);
  const own = ranked?.find((row) => row.team.teamName === team);
  const { title, standing, frozenStanding } = messages.board;
  const isLater = own !== undefined && own !== null && hasLaterSolve(own.team);
  const rankLine = own && ranked ? standing(own.rank, ranked.length, own.points) : title;
  return (
    <section aria-labelledby="snapshot">
      <Fold line={isLater ? frozenStanding(own.points) : rankLine}>
        <h2 id="snapshot" className={styles.sideTitle}>
          {title}
        </h2>
        <div className={styles.snapshot}>
          {ranked ? (
            <SnapshotTable ranked={ranked} team={team} isLater={isLater} />
          ) : (
            <Loading label={messages.loading.scoreboard} />
          )}
        </div>
      </Fold>
    </section>
  );
}
