/** The scoreboard in detail. The address holds the whole view, the projector's too. */
import { type CSSProperties, memo, Suspense, useCallback, useMemo } from "react";
import { type ScoreboardView, scoreboardAddress } from "../../addresses";
import { useFreeze, useStatus } from "../../api/clock";
import { useLive } from "../../api/queries";
import { useSession } from "../../api/session";
import { type Board, boardWindow, rankTeams } from "../../domain/board";
import { hasLaterSolve, ownRow } from "../../domain/challenges";
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
/** Teams in the graph, as in `TEAMS_MAX` of `graph.tsx`, which is fetched on demand. */
const LINES_MAX = 10;

const ScoreGraph = chunkPart<{ board: Board }>("score-graph", () => import("./graph"));
const Stage = chunkPart<object>("stage", () => import("./stage"));

/** Changes the view in the address without scrolling the page. */
function useChange(view: ScoreboardView) {
  return useCallback(
    (changes: Pick<ScoreboardView, "graph" | "solvers">) =>
      go(scoreboardAddress({ ...view, ...changes }), { keepScroll: true }),
    [view],
  );
}

function Tools({ found, graph, onGraph }: { found: number; graph: boolean; onGraph: () => void }) {
  const messages = useMessages();
  return (
    <div className={styles.tools}>
      <TeamSearch found={found} />
      <button
        type="button"
        aria-expanded={graph}
        aria-controls={graph ? "score-graph" : undefined}
        onClick={onGraph}
      >
        {messages.graph.toggle}
      </button>
      <a href={scoreboardAddress({ view: "stage" })} className="button">
        {messages.stage.open}
      </a>
    </div>
  );
}

interface BoardPageProps {
  board: Board;
  ownTeam: string | null;
}

/** As high as the graph and its table: the board below stays where it is. */
function GraphSpace({ teams }: { teams: number }) {
  const { loading } = useMessages();
  const lines = { "--lines": Math.min(teams, LINES_MAX) } as CSSProperties;
  return (
    <div className={styles.graphSpace} style={lines}>
      <Loading label={loading.graph} />
    </div>
  );
}

/** Rerenders for a new board, not for each message of the channel. */
const BoardPage = memo(function BoardPage({ board, ownTeam }: BoardPageProps) {
  const messages = useMessages();
  const view = useView();
  const change = useChange(view);
  const { page = 1, q = "", graph = false, solvers } = view;
  const ranked = useMemo(() => rankTeams(board), [board]);
  const found = useMemo(() => findTeams(ranked, q), [ranked, q]);
  const shown = boardWindow(found, page, ROWS_MAX, ownTeam);
  const detail = useBoardDetail(board);
  const openSolvers = useCallback((id: string) => change({ solvers: id }), [change]);
  if (ranked.length === 0) return <p className={styles.empty}>{messages.board.noTeam}</p>;
  return (
    <>
      <Tools
        found={found.length}
        graph={graph}
        onGraph={() => change({ graph: graph ? undefined : true })}
      />
      {graph && (
        <Suspense fallback={<GraphSpace teams={ranked.length} />}>
          <ScoreGraph board={board} />
        </Suspense>
      )}
      {found.length === 0 ? (
        <p className={styles.empty}>{messages.search.none}</p>
      ) : (
        <BoardTable
          caption={messages.board.title}
          rows={shown.rows}
          ownRow={shown.own}
          ownTeam={ownTeam}
          hasLaterSolve={hasLaterSolve(ownRow(board, ownTeam))}
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
  const messages = useMessages();
  const status = useStatus();
  const live = useLive();
  const { board } = live;
  const { team } = useSession();
  return (
    <>
      <StatusBanner text={messages.statusBanner[status]} freeze={useFreeze()} />
      <header className={styles.header}>
        <h1>{messages.board.title}</h1>
        {board && <p className={styles.teams}>{messages.board.teams(board.teams.length)}</p>}
        <LiveNote {...live} />
      </header>
      {board ? (
        <BoardPage board={board} ownTeam={team} />
      ) : (
        <Loading label={messages.loading.scoreboard} />
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
