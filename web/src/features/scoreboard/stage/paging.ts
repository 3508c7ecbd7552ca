/**
 * Pages that advance automatically, and a graph that alternates with them: unless paused, pointed
 * at, or the user prefers less motion.
 */
import { useEffect, useState } from "react";
import { useReducedMotion } from "../../../ui/motion/motion";

export const PAGE_MS = 10_000;
/** Time for which the board is shown, and then the graph. */
export const ALTERNATE_MS = 30_000;

export type Paging = ReturnType<typeof usePaging>;

/** The page to show. With `hasGraph`, a graph alternates with the pages. */
export function usePaging(pages: number, hasGraph = false) {
  const [wanted, setWanted] = useState(1);
  const [wantsGraph, showGraph] = useState(false);
  const [paused, setPaused] = useState(false);
  const [held, setHeld] = useState(false);
  const isStill = useReducedMotion();
  const page = Math.min(wanted, pages);
  const isGraph = hasGraph && wantsGraph;
  const selfTurning = !isStill && (pages > 1 || hasGraph);
  const turns = selfTurning && !paused && !held;
  useEffect(() => {
    if (!turns || isGraph || pages === 1) return;
    const timer = setTimeout(() => setWanted((page % pages) + 1), PAGE_MS);
    return () => clearTimeout(timer);
  }, [turns, isGraph, page, pages]);
  useEffect(() => {
    if (!turns || !hasGraph) return;
    const timer = setTimeout(() => showGraph(!isGraph), ALTERNATE_MS);
    return () => clearTimeout(timer);
  }, [turns, hasGraph, isGraph]);
  return {
    /** Page number, from 1. */
    page,
    /** True while the graph is shown instead of the pages. */
    isGraph,
    paused,
    /** True if the pages advance automatically when not paused. */
    selfTurning,
    turn: (by: number) => {
      showGraph(false);
      setWanted(((page - 1 + by + pages) % pages) + 1);
    },
    showGraph,
    pause: setPaused,
    /** Pauses while the pointer or the keyboard focus is on the pages. */
    hold: setHeld,
  };
}
