/**
 * The scoreboard in detail: 50 rows a page, a column per challenge, the own team marked. Above it
 * the search and the graph of the first ten; over it a challenge's solvers. All of it stands in the
 * address, the projector's view too.
 */
import { memo, Suspense, useCallback, useMemo } from "react";
import { type ScoreboardView, scoreboardAddress } from "../../addresses";
import { useStatus } from "../../api/clock";
import { useLive } from "../../api/queries";
import { useSession } from "../../api/session";
import { type Board, boardWindow, rankTeams } from "../../domain/board";
import { findTeams } from "../../domain/find";
import { useMessages } from "../../messages/language";
import { go } from "../../navigate";
import { BoardTable } from "../../ui/board-table/board-table";
import { chunkPart } from "../../ui/chunk-part/chunk-part";
import { LiveNote } from "../../ui/live-note/live-note";
import { Loading } from "../../ui/loading/loading";
import { StatusBanner } from "../../ui/status-banner/status-banner";
import { useBoardDetail } from "./detail";
import { Pager } from "./pager";
import styles from "./scoreboard.module.css";
import { TeamSearch } from "./search";
import { Solvers } from "./solvers";
import { useView } from "./view";

const ROWS_MAX = 50;

const ScoreGraph = chunkPart<{ board: Board }>("score-graph", () => import("./graph"));
const Stage = chunkPart<object>("stage", () => import("./stage"));

/** Changes what is shown besides the table, and does not scroll the page. */
function useChange(view: ScoreboardView) {
  return useCallback(
    (changes: Pick<ScoreboardView, "graph" | "solvers">) =>
      go(scoreboardAddress({ ...view, ...changes }), { keepScroll: true }),
    [view],
  );
}

function Tools({ found, graph, onGraph }: { found: number; graph: boolean; onGraph: () => void }) {
  const say = useMessages();
  return (
    <div className={styles.tools}>
      <TeamSearch found={found} />
      <button
        type="button"
        aria-expanded={graph}
        aria-controls={graph ? "score-graph" : undefined}
        onClick={onGraph}
      >
        {say.graph.toggle}
      </button>
      <a href={scoreboardAddress({ view: "stage" })} className="button">
        {say.stage.open}
      </a>
    </div>
  );
}

interface BoardPageProps {
  board: Board;
  ownTeam: string | null;
}

/** Draws anew for another board, not for each word of the channel. */
const BoardPage = memo(function BoardPage({ board, ownTeam }: BoardPageProps) {
  const say = useMessages();
  const view = useView();
  const change = useChange(view);
  const { page = 1, q = "", graph = false, solvers } = view;
  const ranked = useMemo(() => rankTeams(board), [board]);
  const found = useMemo(() => findTeams(ranked, q), [ranked, q]);
  const shown = boardWindow(found, page, ROWS_MAX, ownTeam);
  const detail = useBoardDetail(board);
  const openSolvers = useCallback((id: string) => change({ solvers: id }), [change]);
  if (ranked.length === 0) return <p className={styles.empty}>{say.board.noTeam}</p>;
  return (
    <>
      <Tools
        found={found.length}
        graph={graph}
        onGraph={() => change({ graph: graph ? undefined : true })}
      />
      {graph && (
        <Suspense fallback={<Loading label={say.loading.graph} />}>
          <ScoreGraph board={board} />
        </Suspense>
      )}
      {found.length === 0 ? (
        <p className={styles.empty}>{say.search.none}</p>
      ) : (
        <BoardTable
          caption={say.board.title}
          rows={shown.rows}
          ownRow={shown.own}
          ownTeam={ownTeam}
          detail={detail}
          onColumn={openSolvers}
        />
      )}
      <Pager page={shown.page} pages={shown.pages} />
      {solvers !== undefined && (
        <Solvers
          board={board}
          challengeId={solvers}
          onClose={() => change({ solvers: undefined })}
        />
      )}
    </>
  );
});

function DeskBoard() {
  const say = useMessages();
  const status = useStatus();
  const { board, online, paused, heardAtMs } = useLive();
  const { team } = useSession();
  return (
    <>
      <StatusBanner text={say.statusBanner[status]} />
      <header className={styles.header}>
        <h1>{say.board.title}</h1>
        {board && <p className={styles.teams}>{say.board.teams(board.teams.length)}</p>}
        <LiveNote online={online} paused={paused} heardAtMs={heardAtMs} />
      </header>
      {board ? (
        <BoardPage board={board} ownTeam={team} />
      ) : (
        <Loading label={say.loading.scoreboard} />
      )}
    </>
  );
}

export default function ScoreboardPage() {
  const { loading } = useMessages();
  const { view } = useView();
  if (view !== "stage") return <DeskBoard />;
  return (
    <Suspense fallback={<Loading label={loading.scoreboard} />}>
      <Stage />
    </Suspense>
  );
}
