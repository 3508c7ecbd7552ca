/**
 * The scoreboard for a projector: the top 10, other teams in pages, and the score graph in turn. It
 * shows what the public sees, also to a team. Esc exits.
 */
import { type CSSProperties, useEffect, useMemo } from "react";
import { scoreboardAddress } from "../../../addresses";
import { useFreeze, useIsPaused, useStatus } from "../../../api/clock";
import { useCtf, useIsServerDown, useLive } from "../../../api/queries";
import { useSession } from "../../../api/session";
import { type Board, boardWindow, rankTeams } from "../../../domain/board";
import { publicBoard } from "../../../domain/highlights";
import { useMessages } from "../../../messages/language";
import { go } from "../../../navigate";
import { LiveNote } from "../../../ui/live-note/live-note";
import { Loading } from "../../../ui/loading/loading";
import { StatusBanner } from "../../../ui/status-banner/status-banner";
import { hasScores, useGraph } from "../graph-lines";
import { useShownBoard, useView } from "../view";
import { Clock } from "./clock";
import { Corner } from "./corner";
import { StageGraph } from "./graph";
import { StageNotice } from "./notice";
import { Opening } from "./opening";
import { type Paging, usePaging } from "./paging";
import { StageTable } from "./rows";
import styles from "./stage.module.css";
import { useTurn } from "./turn";

const ROWS_MAX = 10;
/** Time after which the frost on the rows has melted, a little more than `--stage`. */
const FROST_MS = 900;
/** Largest number of teams that fill the wall. */
const FEW_MAX = 5;

interface ControlsProps {
  paging: Paging;
  pages: number;
  hasGraph: boolean;
}

function Controls({ paging, pages, hasGraph }: ControlsProps) {
  const { stage: words, board, graph } = useMessages();
  return (
    <>
      {pages > 1 && (
        <>
          <button type="button" aria-label={board.previous} onClick={() => paging.turn(-1)}>
            <span aria-hidden="true">‹</span>
          </button>
          <span>{board.pageOf(paging.page, pages)}</span>
          <button type="button" aria-label={board.next} onClick={() => paging.turn(1)}>
            <span aria-hidden="true">›</span>
          </button>
        </>
      )}
      {paging.selfTurning && (
        <button
          type="button"
          aria-pressed={paging.paused}
          onClick={() => paging.pause(!paging.paused)}
        >
          {words.pause}
        </button>
      )}
      {hasGraph && (
        <button
          type="button"
          aria-pressed={paging.isGraph}
          onClick={() => paging.showGraph(!paging.isGraph)}
        >
          {graph.toggle}
        </button>
      )}
    </>
  );
}

/** Exits on Esc; in full screen the browser handles the first Esc. */
function useEscape(address: string): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key === "Escape") go(address);
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [address]);
}

interface StageTablesProps {
  board: Board;
  paging: Paging;
  isFreezing: boolean;
}

/** The top ten, and the page of the other teams. */
function StageTables({ board, paging, isFreezing }: StageTablesProps) {
  const { stage: words, board: boardWords } = useMessages();
  const { team: ownTeam } = useSession();
  const ranked = useMemo(() => rankTeams(board), [board]);
  const top = useMemo(() => ranked.slice(0, ROWS_MAX), [ranked]);
  const others = useMemo(() => ranked.slice(ROWS_MAX), [ranked]);
  const { rows } = boardWindow(others, paging.page, ROWS_MAX, null);
  const pointsMax = ranked[0]?.points ?? 0;
  if (top.length === 0) return <p className={styles.empty}>{boardWords.noTeam}</p>;
  return (
    <div
      className={styles.tables}
      data-freezing={isFreezing}
      data-few={top.length <= FEW_MAX}
      style={{ "--rows": top.length } as CSSProperties}
    >
      <StageTable caption={words.top} rows={top} pointsMax={pointsMax} ownTeam={ownTeam} />
      {others.length > 0 && (
        <div onPointerEnter={() => paging.hold(true)} onPointerLeave={() => paging.hold(false)}>
          <StageTable caption={words.others} rows={rows} pointsMax={pointsMax} ownTeam={ownTeam} />
        </div>
      )}
    </div>
  );
}

function StageBoard({ board }: { board: Board }) {
  const { stage: words, board: boardWords } = useMessages();
  const { division } = useView();
  const graph = useGraph(board);
  const hasGraph = hasScores(graph.lines);
  const pages = Math.max(1, Math.ceil((board.teams.length - ROWS_MAX) / ROWS_MAX));
  const paging = usePaging(pages, hasGraph);
  const isFreezing = useTurn("running", "frozen", FROST_MS);
  const { showGraph } = paging;
  useEffect(() => {
    if (isFreezing) showGraph(false);
  }, [isFreezing, showGraph]);
  return (
    <>
      {paging.isGraph ? (
        <StageGraph {...graph} />
      ) : (
        <StageTables board={board} paging={paging} isFreezing={isFreezing} />
      )}
      <footer className={styles.foot}>
        <Corner board={board} />
        <nav
          aria-label={boardWords.pages}
          className={styles.controls}
          onFocus={(event) => paging.hold(event.target.matches(":focus-visible"))}
          onBlur={() => paging.hold(false)}
        >
          <Controls paging={paging} pages={pages} hasGraph={hasGraph} />
          <button type="button" onClick={() => void document.documentElement.requestFullscreen?.()}>
            {words.fullScreen}
          </button>
          <a href={scoreboardAddress({ division })} className="button">
            {words.leave}
          </a>
        </nav>
      </footer>
    </>
  );
}

/** The board without the viewer's own solves since the freeze. */
function usePublicBoard(): Board | null {
  const { board } = useLive();
  const { team } = useSession();
  return useMemo(() => board && publicBoard(board, team), [board, team]);
}

export default function Stage() {
  const messages = useMessages();
  const status = useStatus();
  const live = useLive();
  const board = useShownBoard(usePublicBoard());
  const info = useCtf().data?.info;
  const { division } = useView();
  const shown = info?.divisions?.find(({ id }) => id === division)?.name;
  const name = info?.name || messages.home.titleDefault;
  const isPaused = useIsPaused();
  const freeze = useFreeze();
  useEscape(scoreboardAddress({ division }));
  return (
    <div className={styles.stage} data-status={status}>
      <header className={styles.header}>
        <h1>{shown === undefined ? name : `${name} – ${shown}`}</h1>
        <StatusBanner
          text={messages.statusBanner[status]}
          freeze={status === "ended" && freeze ? { ...freeze, hasLaterSolve: false } : null}
        />
        {isPaused && <StatusBanner text={messages.paused.short} />}
        <LiveNote {...live} isDown={useIsServerDown()} />
        <Clock />
      </header>
      <StageNotice />
      {board ? <StageBoard board={board} /> : <Loading label={messages.loading.scoreboard} />}
      <Opening board={board} />
    </div>
  );
}
