/** The scoreboard in detail: 50 rows a page, a column per challenge, the own team marked. */
import { useSearch } from "@tanstack/react-router";
import { useMemo } from "react";
import { useStatus } from "../../api/clock";
import { useLive } from "../../api/queries";
import { useSession } from "../../api/session";
import { type Board, boardWindow, rankTeams } from "../../domain/board";
import { useMessages } from "../../messages/language";
import { BoardTable } from "../../ui/board-table";
import { LiveNote } from "../../ui/live-note";
import { Loading } from "../../ui/loading";
import { StatusBanner } from "../../ui/status-banner";
import { useBoardDetail } from "./detail";
import { Pager } from "./pager";
import styles from "./scoreboard.module.css";

const ROWS_MAX = 50;

function BoardPage({ board, ownTeam }: { board: Board; ownTeam: string | null }) {
  const say = useMessages();
  const page = useSearch({ from: "/scoreboard", select: (search) => search.page ?? 1 });
  const ranked = useMemo(() => rankTeams(board), [board]);
  const shown = boardWindow(ranked, page, ROWS_MAX, ownTeam);
  const detail = useBoardDetail(board);
  if (ranked.length === 0) return <p className={styles.empty}>{say.board.noTeam}</p>;
  return (
    <>
      <BoardTable
        caption={say.board.title}
        rows={shown.rows}
        ownRow={shown.own}
        ownTeam={ownTeam}
        detail={detail}
      />
      <Pager page={shown.page} pages={shown.pages} />
    </>
  );
}

export default function ScoreboardPage() {
  const say = useMessages();
  const status = useStatus();
  const { board, online, heardAtMs } = useLive();
  const { team } = useSession();
  return (
    <>
      <StatusBanner text={say.statusBanner[status]} />
      <header className={styles.header}>
        <h1>{say.board.title}</h1>
        {board && <p className={styles.teams}>{say.board.teams(board.teams.length)}</p>}
        <LiveNote online={online} heardAtMs={heardAtMs} />
      </header>
      {board ? (
        <BoardPage board={board} ownTeam={team} />
      ) : (
        <Loading label={say.loading.scoreboard} />
      )}
    </>
  );
}
