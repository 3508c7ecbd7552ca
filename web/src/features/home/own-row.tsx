/** Parts that need the team's row, in their own chunk, since visitors do not rank the board. */
import { type ReactNode, useMemo } from "react";
import { challengeAddress } from "../../addresses";
import { useLive } from "../../api/queries";
import { type RankedTeam, rankTeams } from "../../domain/board";
import { hasLaterSolve } from "../../domain/challenges";
import { useMessages } from "../../messages/language";
import { Pennant } from "../../ui/pennant/pennant";
import { FrozenMark } from "../../ui/sealed/sealed";
import { useThrottled } from "../../ui/throttle/throttle";
import styles from "./aside.module.css";

/** Minimum interval between rankings: this rank need not follow every solve. */
const RANKED_EVERY_MS = 2000;

/** The team's row and the number of teams; null until the board is loaded. */
function useOwnRow(team: string): { row: RankedTeam | null; teams: number } {
  const board = useThrottled(useLive().board, RANKED_EVERY_MS);
  const ranked = useMemo(() => (board ? rankTeams(board) : []), [board]);
  return {
    row: ranked.find((one) => one.team.teamName === team) ?? null,
    teams: ranked.length,
  };
}

/** The team's pennant, rank and points. */
export function Standing({ team }: { team: string }) {
  const { home, challenges, board } = useMessages();
  const { row, teams } = useOwnRow(team);
  const score = row && challenges.points(row.points);
  const isLater = row !== null && hasLaterSolve(row.team);
  return (
    <>
      <Pennant name={team} size="large" />
      <p className={styles.team}>
        <bdi className="ellipsis">{team}</bdi>
      </p>
      {row && (
        <p className={styles.rank}>
          <strong>{isLater ? score : home.rank(row.rank, teams)}</strong>{" "}
          <span>{isLater ? board.withSealed : score}</span> {!isLater && <FrozenMark />}
        </p>
      )}
    </>
  );
}

/** A link to the unsolved challenge that most teams have solved; `children` if there is none. */
export function Onward({ team, children }: { team: string; children: ReactNode }) {
  const { moment } = useMessages();
  const board = useThrottled(useLive().board, RANKED_EVERY_MS);
  const solves = board?.teams.find(({ teamName }) => teamName === team)?.solves;
  const open = board?.challenges.filter(({ id }) => !solves?.has(id)) ?? [];
  const [next] = open.sort((a, b) => b.nsolves - a.nsolves);
  if (!next) return children;
  return (
    <a className={`button ${styles.next}`} href={challengeAddress({ open: [next.id] })}>
      <span>{moment.next}</span> <bdi className="ellipsis">{next.challengeName}</bdi>
    </a>
  );
}

/** Content for a team without a solve. */
export function IfNoSolve({ team, children }: { team: string; children: ReactNode }) {
  return useOwnRow(team).row?.team.solves.size === 0 && children;
}
