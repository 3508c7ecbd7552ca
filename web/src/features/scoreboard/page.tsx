/** The detailed scoreboard. The whole view is in the address, including the projector view. */
import {
  type CSSProperties,
  memo,
  type ReactNode,
  Suspense,
  useCallback,
  useMemo,
  useState,
} from "react";
import { type ScoreboardView, scoreboardAddress } from "../../addresses";
import { useFreeze, useStatus } from "../../api/clock";
import { useCtf, useIsServerDown, useLive } from "../../api/queries";
import { useSession } from "../../api/session";
import { type Board, boardWindow, type RankedTeam, rankTeams } from "../../domain/board";
import { hasLaterSolve, ownRow } from "../../domain/challenges";
import { findTeams } from "../../domain/find";
import { publicBoard } from "../../domain/highlights";
import { isDynamic } from "../../domain/points";
import { useMessages } from "../../messages/language";
import { go } from "../../navigate";
import { useIsActive } from "../../ui/activity/activity";
import { BoardTable } from "../../ui/board-table/board-table";
import { chunkPart } from "../../ui/chunk-part/chunk-part";
import { LiveNote } from "../../ui/live-note/live-note";
import { Loading } from "../../ui/loading/loading";
import { useMedia } from "../../ui/motion/motion";
import { StatusBanner } from "../../ui/status-banner/status-banner";
import { useBoardDetail } from "./detail";
import { EmptyBoard } from "./empty-board";
import { useLeadChange } from "./lead";
import { Pager } from "./pager";
import { PLACES, Podium } from "./podium";
import styles from "./scoreboard.module.css";
import { TeamSearch } from "./search";
import type { SinceTipProps } from "./since-tip";
import { Solvers } from "./solvers";
import { useTrends } from "./trends";
import { inDivision, useShownBoard, useView } from "./view";

const ROWS_MAX = 50;
/** Number of teams up to which rows are high and the graph is shown with them. */
const FEW_MAX = 5;
/** Teams in the graph, as in `TEAMS_MAX` of `graph.tsx`, which is fetched on demand. */
const LINES_MAX = 10;

const ScoreGraph = chunkPart<{ board: Board }>("score-graph", () => import("./graph"));
/** Without its chunk, scores have no popover. */
const SinceTip = chunkPart<SinceTipProps>(
  "since-tip",
  () => import("./since-tip"),
  () => null,
);
const Stage = chunkPart<object>("stage", () => import("./stage/stage"));
const Divisions = chunkPart<{ board: Board }>("divisions", () => import("./divisions/divisions"));

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
  const { division } = useView();
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
      <a href={scoreboardAddress({ view: "stage", division })} className="button">
        {messages.stage.open}
      </a>
    </div>
  );
}

/** Reserves the height of the graph and its table, so that the board below does not move. */
function GraphSpace({ board }: { board: Board }) {
  const { loading } = useMessages();
  const { team } = useSession();
  const ownPlace = rankTeams(board).findIndex(({ team: { teamName } }) => teamName === team);
  const shape = {
    "--lines": Math.min(board.teams.length, LINES_MAX) + Number(ownPlace >= LINES_MAX),
    "--falling": Number(board.challenges.some(isDynamic)),
  };
  return (
    <div className={styles.graphSpace} style={shape as CSSProperties}>
      <Loading label={loading.graph} />
    </div>
  );
}

/** The shown board, the board that everyone can see, and both in order of rank. */
function useRanked(whole: Board, ownTeam: string | null) {
  const { division } = useView();
  const board = useMemo(() => inDivision(whole, division), [whole, division]);
  // The viewer's own later solves change values for all, also if the division lacks its team.
  const known = useMemo(() => {
    const everyone = publicBoard(whole, ownTeam);
    return everyone === whole ? board : inDivision(everyone, division);
  }, [whole, board, ownTeam, division]);
  const ranked = useMemo(() => rankTeams(board), [board]);
  const knownRanked = useMemo(
    () => (known === board ? ranked : rankTeams(known)),
    [known, board, ranked],
  );
  return { board, known, ranked, knownRanked };
}

/** The graph is open by default with a board of few teams that have points. */
function useGraph(ranked: readonly RankedTeam[], change: ReturnType<typeof useChange>) {
  const { graph = false } = useView();
  const isDesk = useMedia("(min-width: 64rem)");
  const [isFolded, fold] = useState(false);
  const isDefault = isDesk && ranked.length <= FEW_MAX && (ranked[0]?.points ?? 0) > 0;
  const isOpen = isDefault ? !isFolded : graph;
  return {
    isOpen,
    isDefault,
    toggle: () => (isDefault ? fold(isOpen) : change({ graph: graph ? undefined : true })),
  };
}

function Graph({ board }: { board: Board }) {
  return (
    <Suspense fallback={<GraphSpace board={board} />}>
      <ScoreGraph board={board} />
    </Suspense>
  );
}

interface BoardPageProps {
  board: Board;
  ownTeam: string | null;
  isFrozen: boolean;
}

type BoardBodyProps = ReturnType<typeof useRanked> &
  Omit<BoardPageProps, "board"> & { onColumn: (id: string) => void; found: readonly RankedTeam[] };

/** The podium, the table with the viewer's row in view, and the pages. */
function BoardBody(props: BoardBodyProps & { graph: ReactNode }) {
  const { board, known, ranked, knownRanked, found, ownTeam, isFrozen, onColumn } = props;
  const { board: words, search } = useMessages();
  const { page = 1, q = "" } = useView();
  const detail = useBoardDetail(board, known);
  const shown = boardWindow(found, page, ROWS_MAX, ownTeam);
  const trendOf = useTrends(known, knownRanked, isFrozen);
  const lead = useLeadChange(knownRanked);
  const isLater = hasLaterSolve(ownRow(board, ownTeam));
  const withTrend = (row: RankedTeam) => ({ ...row, trend: trendOf(row.team.teamName) });
  return (
    <>
      <p role="status" className={styles.lead}>
        {lead}
      </p>
      {ranked.length >= PLACES && shown.page === 1 && q === "" && (
        <Podium ranked={knownRanked} trendOf={trendOf} isLeadNew={lead !== null} />
      )}
      <div className={props.graph ? styles.withGraph : undefined}>
        {found.length === 0 ? (
          <p className={styles.empty}>{search.none}</p>
        ) : (
          <BoardTable
            caption={words.title}
            rows={shown.rows.map(withTrend)}
            ownRow={shown.own && withTrend(shown.own)}
            ownTeam={ownTeam}
            hasLaterSolve={isLater}
            detail={detail}
            isRoomy={ranked.length <= FEW_MAX}
            onColumn={onColumn}
          />
        )}
        {props.graph}
      </div>
      <Pager page={shown.page} pages={shown.pages} />
    </>
  );
}

/** Rerenders for a new board, not for every message of the channel. */
const BoardPage = memo(function BoardPage({ board: whole, ownTeam, isFrozen }: BoardPageProps) {
  const view = useView();
  const change = useChange(view);
  const { q = "", solvers } = view;
  const boards = useRanked(whole, ownTeam);
  const { board, ranked } = boards;
  const found = useMemo(() => findTeams(ranked, q), [ranked, q]);
  const onColumn = useCallback((id: string) => change({ solvers: id }), [change]);
  const graph = useGraph(ranked, change);
  const isActive = useIsActive();
  if (ranked.length === 0) return <EmptyBoard />;
  const drawn = graph.isOpen && <Graph board={view.division ? boards.known : board} />;
  return (
    <>
      <Tools found={found.length} graph={graph.isOpen} onGraph={graph.toggle} />
      {!graph.isDefault && drawn}
      <BoardBody
        {...boards}
        {...{ found, ownTeam, isFrozen, onColumn }}
        graph={graph.isDefault && drawn}
      />
      {isActive && (
        <Suspense fallback={null}>
          <SinceTip board={whole} viewer={ownTeam} />
        </Suspense>
      )}
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
  const { division } = useView();
  const divisions = useCtf().data?.info.divisions;
  const isUnknown = division !== undefined && !divisions?.some(({ id }) => id === division);
  const { board } = live;
  const shown = useShownBoard(board);
  const { team } = useSession();
  const freeze = useFreeze();
  return (
    <>
      <StatusBanner text={messages.statusBanner[status]} freeze={freeze} />
      <div className={styles.desk} data-wide>
        <header className={styles.header}>
          <h1>{messages.board.title}</h1>
          {shown && <p className={styles.teams}>{messages.board.teams(shown.teams.length)}</p>}
          <LiveNote {...live} isDown={useIsServerDown()} />
        </header>
        {(divisions ?? isUnknown) && board && (
          <Suspense>
            <Divisions board={board} />
          </Suspense>
        )}
        {board ? (
          !isUnknown && (
            // Another division has another leader, which is not news.
            <BoardPage key={division} board={board} ownTeam={team} isFrozen={freeze !== null} />
          )
        ) : (
          <Loading label={messages.loading.scoreboard} />
        )}
      </div>
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
