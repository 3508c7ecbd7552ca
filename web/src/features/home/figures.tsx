/** The event in numbers, and its latest solves, from the board as visitors see it. */
import { useStatus } from "../../api/clock";
import { figuresOf, type LatestSolve, latestSolves } from "../../domain/highlights";
import { useMessages } from "../../messages/language";
import { FirstBloodIcon, SolvedIcon } from "../../ui/icons/icons";
import { FrozenMark, useIsFrozen } from "../../ui/sealed/sealed";
import { useHours } from "../../ui/times/times";
import styles from "./live.module.css";
import { usePublicBoard } from "./public-board";

/** Number of solves in the ticker. */
const LATEST_MAX = 5;

export function EntrantsLine() {
  const { home, board: words } = useMessages();
  const board = usePublicBoard();
  if (!board || board.teams.length === 0) return null;
  const { teams, countries } = figuresOf(board);
  return countries === 0 ? words.teams(teams) : home.entrants(teams, countries);
}

function Latest({ solves }: { solves: readonly LatestSolve[] }) {
  const { home, board: words } = useMessages();
  const hours = useHours();
  return (
    <ol className={`plain-list ${styles.latest}`} aria-label={home.latest}>
      {solves.map(({ teamName, challengeId, challengeName, isFirst, ts }) => (
        <li key={`${challengeId} ${teamName}`} data-first={isFirst}>
          {isFirst ? <FirstBloodIcon /> : <SolvedIcon />}
          <time dateTime={new Date(ts * 1000).toISOString()}>{hours(ts * 1000)}</time>
          <bdi className={styles.solver}>{teamName}</bdi>
          {isFirst && <span className={styles.first}>{words.firstBlood}</span>}
          <bdi className={styles.solved}>{challengeName}</bdi>
        </li>
      ))}
    </ol>
  );
}

export function FiguresBand() {
  const { home, board: words } = useMessages();
  const board = usePublicBoard();
  const status = useStatus();
  const isFrozen = useIsFrozen();
  if (!board) return null;
  const { teams, challenges, solves, firstBloods } = figuresOf(board);
  const last = status === "ended" ? home.solveCount(solves) : home.firstBloodCount(firstBloods);
  const hasLatest = status === "running" && !isFrozen && firstBloods > 0;
  return (
    <>
      <ul className={`plain-list ${styles.figures}`} aria-label={home.figures}>
        <li>{words.teams(teams)}</li>
        <li>{home.challengeCount(challenges)}</li>
        <li>{last}</li>
        {isFrozen && (
          <li>
            <FrozenMark />
          </li>
        )}
      </ul>
      {hasLatest && <Latest solves={latestSolves(board, LATEST_MAX)} />}
    </>
  );
}
