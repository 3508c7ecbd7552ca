/** The board for a projector: the top ten, and the others in pages. Esc leaves it. */
import { useEffect, useMemo, useRef } from "react";
import { useFreeze, useIsPaused, useSecondsUntil, useStatus } from "../../api/clock";
import { useCtf, useLive } from "../../api/queries";
import { type Board, boardWindow, type RankedTeam, rankTeams } from "../../domain/board";
import { hasLaterSolve } from "../../domain/challenges";
import { remaining } from "../../domain/countdown";
import { clockTargets } from "../../domain/status";
import { useMessages } from "../../messages/language";
import { go } from "../../navigate";
import { Flag } from "../../ui/flag/flag";
import { useGlide } from "../../ui/glide/glide";
import { LiveNote } from "../../ui/live-note/live-note";
import { Loading } from "../../ui/loading/loading";
import { StatusBanner } from "../../ui/status-banner/status-banner";
import styles from "./stage.module.css";
import { StageNotice } from "./stage-notice";
import { type Paging, usePaging } from "./stage-paging";

const ROWS_MAX = 10;

function StageTable({ caption, rows }: { caption: string; rows: readonly RankedTeam[] }) {
  const { board } = useMessages();
  const body = useRef<HTMLTableSectionElement>(null);
  useGlide(body, rows);
  return (
    <table className={styles.table}>
      <caption className="visually-hidden">{caption}</caption>
      <colgroup>
        <col className={styles.narrowColumn} />
        <col className={styles.narrowColumn} />
        <col />
        <col className={styles.scoreColumn} />
      </colgroup>
      <thead className="visually-hidden">
        <tr>
          <th scope="col">#</th>
          <th scope="col">{board.country}</th>
          <th scope="col">{board.team}</th>
          <th scope="col">{board.score}</th>
        </tr>
      </thead>
      <tbody ref={body}>
        {rows.map(({ team, rank, points }) => (
          <tr key={team.teamName} data-rank={rank}>
            <td className={styles.rank}>{hasLaterSolve(team) ? `${rank}*` : rank}</td>
            <td className={styles.country}>
              <Flag code={team.country} />
            </td>
            <th scope="row">
              <bdi>{team.teamName}</bdi>
            </th>
            <td className={styles.score}>{points}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function TimeLeft({ label, targetMs }: { label: string; targetMs: number }) {
  const { days, hours, minutes, seconds } = remaining(targetMs, useSecondsUntil(targetMs));
  const two = (number: number) => String(number).padStart(2, "0");
  return (
    <p className={styles.clock} role="timer">
      <span>{label}</span> {days * 24 + hours}:{two(minutes)}:{two(seconds)}
    </p>
  );
}

function Clock() {
  const { stage: words } = useMessages();
  const status = useStatus();
  const info = useCtf().data?.info;
  const { startMs = null, endMs = null } = info ? clockTargets(info, status) : {};
  if (startMs !== null) return <TimeLeft label={words.untilStart} targetMs={startMs} />;
  return endMs !== null && <TimeLeft label={words.timeLeft} targetMs={endMs} />;
}

function Controls({ paging, pages }: { paging: Paging; pages: number }) {
  const { stage: words, board } = useMessages();
  if (pages === 1) return null;
  return (
    <>
      <button type="button" onClick={() => paging.turn(-1)}>
        {board.previous}
      </button>
      <span>{board.pageOf(paging.page, pages)}</span>
      <button type="button" onClick={() => paging.turn(1)}>
        {board.next}
      </button>
      {paging.selfTurning && (
        <button
          type="button"
          aria-pressed={paging.paused}
          onClick={() => paging.pause(!paging.paused)}
        >
          {words.pause}
        </button>
      )}
    </>
  );
}

/** Leaves on Esc; in full screen the browser handles the first Esc. */
function useEscape(): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key === "Escape") go("/scoreboard");
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, []);
}

function StageBoard({ board }: { board: Board }) {
  const { stage: words, board: boardWords } = useMessages();
  const ranked = useMemo(() => rankTeams(board), [board]);
  const top = useMemo(() => ranked.slice(0, ROWS_MAX), [ranked]);
  const others = useMemo(() => ranked.slice(ROWS_MAX), [ranked]);
  const pages = boardWindow(others, 1, ROWS_MAX, null).pages;
  const paging = usePaging(pages);
  const { rows } = boardWindow(others, paging.page, ROWS_MAX, null);
  return (
    <>
      <div className={styles.tables}>
        {top.length === 0 && <p>{boardWords.noTeam}</p>}
        <StageTable caption={words.top} rows={top} />
        {others.length > 0 && (
          <div onPointerEnter={() => paging.hold(true)} onPointerLeave={() => paging.hold(false)}>
            <StageTable caption={words.others} rows={rows} />
          </div>
        )}
      </div>
      <nav
        aria-label={boardWords.pages}
        className={styles.controls}
        onFocus={(event) => paging.hold(event.target.matches(":focus-visible"))}
        onBlur={() => paging.hold(false)}
      >
        <Controls paging={paging} pages={pages} />
        <button type="button" onClick={() => void document.documentElement.requestFullscreen?.()}>
          {words.fullScreen}
        </button>
        <a href="/scoreboard" className="button">
          {words.leave}
        </a>
      </nav>
    </>
  );
}

export default function Stage() {
  const messages = useMessages();
  const status = useStatus();
  const live = useLive();
  const { board } = live;
  const name = useCtf().data?.info.name || messages.home.titleDefault;
  const isPaused = useIsPaused();
  const freeze = useFreeze();
  useEscape();
  return (
    <div className={styles.stage}>
      <header className={styles.header}>
        <h1>{name}</h1>
        <StatusBanner
          text={messages.statusBanner[status]}
          freeze={status === "ended" ? freeze : null}
        />
        {isPaused && <StatusBanner text={messages.paused.short} />}
        <LiveNote {...live} />
        <Clock />
      </header>
      <StageNotice />
      {board ? <StageBoard board={board} /> : <Loading label={messages.loading.scoreboard} />}
    </div>
  );
}
