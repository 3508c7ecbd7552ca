/** The board as visitors see it, for the live parts of the page. */
import { useMemo } from "react";
import { useLive } from "../../api/queries";
import { useSession } from "../../api/session";
import type { Board } from "../../domain/board";
import { publicBoard } from "../../domain/highlights";
import { useThrottled } from "../../ui/throttle/throttle";

/** Minimum interval between updates: the page need not follow every solve. */
const UPDATE_MS = 2000;

/** The public board; null before it is loaded. */
export function usePublicBoard(): Board | null {
  const board = useThrottled(useLive().board, UPDATE_MS);
  const { team } = useSession();
  return useMemo(() => board && publicBoard(board, team), [board, team]);
}
