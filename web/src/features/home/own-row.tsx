/** A team's row on the board, in a chunk of its own: visitors do not rank the board. */
import type { ReactNode } from "react";
import { useLive } from "../../api/queries";
import { type RankedTeam, rankTeams } from "../../domain/board";
import { usePaced } from "../../ui/paced/paced";

export interface OwnRowProps {
  team: string;
  /** The row is null while the board is not there, or does not have the team. */
  children: (row: RankedTeam | null, teams: number) => ReactNode;
}

/** The board is ranked at most so often: a rank in passing need not follow each solve. */
const RANKED_EVERY_MS = 2000;

export default function WithOwnRow({ team, children }: OwnRowProps) {
  const board = usePaced(useLive().board, RANKED_EVERY_MS);
  const ranked = board ? rankTeams(board) : [];
  return children(ranked.find((one) => one.team.teamName === team) ?? null, ranked.length);
}
