/** The view of the scoreboard page, read from its address. */
import { useMemo } from "react";
import { readScoreboardView, type ScoreboardView } from "../../addresses";
import { useAddress } from "../../navigate";

export function useView(): ScoreboardView {
  const { search } = useAddress();
  return useMemo(() => readScoreboardView(search), [search]);
}
