/** The gain of a solve at the time of the solve. */
import { useState } from "react";
import type { Board } from "../../../domain/board";
import { ownRow } from "../../../domain/challenges";
import { type OpenGain, type SealedGain, solveGain } from "../../../domain/solve-moment";
import { useIsFrozen } from "../../../ui/sealed/sealed";

/** Look and mood of a celebration. */
export type Kind = "solved" | "blood" | "sealed";

/**
 * The gain at the time of the solve; later solves of others do not change it. The reveal replaces a
 * sealed gain.
 */
export function useGain(board: Board | null, team: string, id: string) {
  const [gain, setGain] = useState<OpenGain | SealedGain | null>(null);
  const isOpen = gain !== null && !gain.isSealed;
  const now = isOpen ? null : solveGain(board, ownRow(board, team), id);
  const isRevealed = gain?.isSealed && now !== null && !now.isSealed;
  const known = gain === null || isRevealed ? now : gain;
  if (known !== gain) setGain(known);
  return known;
}

/** The kind of a gain. In the freeze a solve is sealed until the board says otherwise. */
export function useKind(gain: OpenGain | SealedGain | null): Kind {
  const isFrozen = useIsFrozen();
  if (gain === null) return isFrozen ? "sealed" : "solved";
  if (gain.isSealed) return "sealed";
  return gain.isFirst ? "blood" : "solved";
}
