/** The sentence for a change of the leader, for some seconds. */
import { useEffect, useRef, useState } from "react";
import type { RankedTeam } from "../../domain/board";
import { useMessages } from "../../messages/language";

const SHOWN_MS = 20_000;

/** Returns the sentence, or null. `ranked` is the public order, and null before the board. */
export function useLeadChange(ranked: readonly RankedTeam[] | null): string | null {
  const { board } = useMessages();
  const [first] = ranked ?? [];
  const leader = first && first.points > 0 ? first.team.teamName : null;
  const isLoaded = ranked !== null;
  const before = useRef<string | null | undefined>(undefined);
  const [newLeader, setNewLeader] = useState<string | null>(null);
  useEffect(() => {
    if (!isLoaded) return;
    const isChange = before.current !== undefined && before.current !== leader;
    before.current = leader;
    if (isChange) setNewLeader(leader);
  }, [isLoaded, leader]);
  useEffect(() => {
    if (newLeader === null) return;
    const timer = setTimeout(() => setNewLeader(null), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [newLeader]);
  return newLeader === null ? null : board.takesLead(newLeader);
}
