import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo, useState } from "react";
import { ownRow } from "../domain/challenges";
import { QUESTIONS_KEY, useLive, useQuestions } from "./queries";
import { useSession } from "./session";

/**
 * Keeps the team's questions current while mounted. A new or withdrawn solve triggers a refetch,
 * because crediting a solve can send the team a message.
 */
export function useFollowQuestions(): void {
  const cache = useQueryClient();
  const { team } = useSession();
  const { board } = useLive();
  const { isSuccess } = useQuestions(team !== null);
  const solves = useMemo(() => ownRow(board, team)?.solves.size, [board, team]);
  const [known, setKnown] = useState(solves);
  useEffect(() => {
    if (solves === undefined || solves === known) return;
    setKnown(solves);
    if (known !== undefined && isSuccess) {
      void cache.invalidateQueries({ queryKey: QUESTIONS_KEY });
    }
  }, [cache, isSuccess, solves, known]);
}
