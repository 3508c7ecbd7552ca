/**
 * The first five rows of the scoreboard, the team's own row if it is not among them, and the gap to
 * the next team.
 */
import { useMemo } from "react";
import { type Board, boardWindow, type RankedTeam, rankTeams } from "../../domain/board";
import { hasLaterSolve } from "../../domain/challenges";
import { gapOf } from "../../domain/solve-moment";
import { useMessages } from "../../messages/language";
import { BoardTable } from "../../ui/board-table/board-table";
import { Loading } from "../../ui/loading/loading";
import { FrozenMark, useIsFrozen } from "../../ui/sealed/sealed";
import styles from "./challenges.module.css";
import { Fold } from "./fold";
import { useGapText } from "./gap-text";
import snapshotStyles from "./snapshot.module.css";

const ROWS_MAX = 5;

/** The gap to the next team. In the freeze it is unknown, and the line explains the rank. */
function BelowRows({ ranked, own }: { ranked: readonly RankedTeam[]; own: RankedTeam }) {
  const { board } = useMessages();
  const isFrozen = useIsFrozen();
  const gap = useGapText(gapOf(ranked, own.team.teamName));
  if (hasLaterSolve(own.team)) {
    return <p className={snapshotStyles.sealed}>* {board.withSealed}</p>;
  }
  return (
    <p key={gap} className={snapshotStyles.gap}>
      {isFrozen ? <FrozenMark /> : gap}
    </p>
  );
}

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
      <Fold
        line={
          <>
            {own && isLater ? frozenStanding(own.points) : rankLine} {own && <FrozenMark />}
          </>
        }
      >
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
        {ranked && own && <BelowRows ranked={ranked} own={own} />}
      </Fold>
    </section>
  );
}
