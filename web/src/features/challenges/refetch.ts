/** Refetches the list once per reason: an unlocked challenge, or a changed set on the board. */
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { CHALLENGES_KEY } from "../../api/queries";
import type { Board, Team } from "../../domain/board";
import { type Listed, refetchReason } from "../../domain/challenges";

/**
 * Jitter of refetches: short after an unlock, which affects one team; long after a changed set,
 * which reaches all teams at once.
 */
const UNLOCK_JITTER_MS = 300;
const SET_JITTER_MS = 2000;

export function useRefetchWhenOutdated(
  challenges: readonly Listed[],
  board: Board | null,
  own: Team | null,
): void {
  const cache = useQueryClient();
  const answered = useRef<string | null>(null);
  const reason = refetchReason(challenges, board, own);
  useEffect(() => {
    if (reason === null || reason === answered.current) return;
    const jitterMs = reason.startsWith("set") ? SET_JITTER_MS : UNLOCK_JITTER_MS;
    const timer = setTimeout(() => {
      answered.current = reason;
      void cache.invalidateQueries({ queryKey: CHALLENGES_KEY });
    }, Math.random() * jitterMs);
    return () => clearTimeout(timer);
  }, [reason, cache]);
  // Another member may have taken a hint, whose text the whole team can then read.
  const award = own?.award;
  const listed = useRef(award);
  useEffect(() => {
    const before = listed.current;
    listed.current = award;
    if (before === undefined || award === undefined || before === award) return;
    const refetch = () => void cache.invalidateQueries({ queryKey: CHALLENGES_KEY });
    setTimeout(refetch, Math.random() * UNLOCK_JITTER_MS);
  }, [award, cache]);
}
