/**
 * A team's row on the board for the parts of the home page that need it. In a chunk of its own:
 * visitors do not rank the board.
 */
import type { ReactNode } from "react";
import { useLive } from "../../api/queries";
import { rankTeams } from "../../domain/board";
import { hasLaterSolve } from "../../domain/challenges";
import { usePaced } from "../../ui/paced/paced";

export interface OwnRow {
  readonly rank: number;
  readonly teams: number;
  readonly points: number;
  readonly solves: number;
  /** The rank counts own solves of the freeze, without others' hidden ones. */
  readonly hasLaterSolve: boolean;
}

export interface OwnRowProps {
  team: string;
  /** Null while the board is not there, or does not have the team. */
  children: (row: OwnRow | null) => ReactNode;
}

/** The board is ranked at most so often: a rank in passing need not follow each solve. */
const RANKED_EVERY_MS = 2000;

export default function WithOwnRow({ team, children }: OwnRowProps) {
  const board = usePaced(useLive().board, RANKED_EVERY_MS);
  const ranked = board ? rankTeams(board) : [];
  const row = ranked.find((one) => one.team.teamName === team);
  if (!row) return children(null);
  const { rank, points, team: own } = row;
  const solves = own.solves.size;
  return children({
    rank,
    teams: ranked.length,
    points,
    solves,
    hasLaterSolve: hasLaterSolve(own),
  });
}
