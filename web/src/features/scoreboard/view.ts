/** The view of the scoreboard page, read from its address. */
import { useMemo } from "react";
import { readScoreboardView, type ScoreboardView } from "../../addresses";
import type { Board } from "../../domain/board";
import { useAddress } from "../../navigate";

export function useView(): ScoreboardView {
  const { search } = useAddress();
  return useMemo(() => readScoreboardView(search), [search]);
}

/** The board with only the teams of a division; all if undefined. Points and positions stay. */
export function inDivision(board: Board, division: string | undefined): Board {
  if (division === undefined) return board;
  return { ...board, teams: board.teams.filter((team) => team.divisions?.includes(division)) };
}

/** The board with only the teams of the division in the address. */
export function useShownBoard(board: Board | null): Board | null {
  const { division } = useView();
  return useMemo(() => board && inDivision(board, division), [board, division]);
}
