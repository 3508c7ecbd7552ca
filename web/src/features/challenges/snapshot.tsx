/** The first five rows of the board, and the team's own row if it is not among them. */
import { useMemo } from "react";
import { type Board, boardWindow, rankTeams } from "../../domain/board";
import { hasLaterSolve } from "../../domain/challenges";
import { useMessages } from "../../messages/language";
import { BoardTable } from "../../ui/board-table/board-table";
import { Loading } from "../../ui/loading/loading";
import styles from "./challenges.module.css";
import { Fold } from "./fold";

const ROWS_MAX = 5;

export function Snapshot({ board, team }: { board: Board | null; team: string }) {
  const messages = useMessages();
  const ranked = useMemo(() => board && rankTeams(board), [board]);
  const own = ranked?.find((row) => row.team.teamName === team);
  const { title, standing, frozenStanding } = messages.board;
  const isLater = own ? hasLaterSolve(own.team) : false;
  const shown = ranked && boardWindow(ranked, 1, ROWS_MAX, team);
  const rankLine = own && ranked ? standing(own.rank, ranked.length, own.points) : title;
  return (
    <section aria-labelledby="snapshot">
      <Fold line={own && isLater ? frozenStanding(own.points) : rankLine}>
        <h2 id="snapshot" className={styles.sideTitle}>
          {title}
        </h2>
        <div className={styles.snapshot}>
          {shown ? (
            <BoardTable
              caption={messages.board.snapshot}
              rows={shown.rows}
              ownRow={shown.own}
              ownTeam={team}
              hasLaterSolve={isLater}
            />
          ) : (
            <Loading label={messages.loading.scoreboard} />
          )}
        </div>
      </Fold>
    </section>
  );
}
