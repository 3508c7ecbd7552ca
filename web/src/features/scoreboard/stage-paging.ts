/** Pages that advance automatically, unless paused, pointed at, or the user prefers less motion. */
import { useEffect, useState } from "react";
import { useReducedMotion } from "../../ui/motion/motion";

export const PAGE_MS = 10_000;

export type Paging = ReturnType<typeof usePaging>;

export function usePaging(pages: number) {
  const [wanted, setWanted] = useState(1);
  const [paused, setPaused] = useState(false);
  const [held, setHeld] = useState(false);
  const isStill = useReducedMotion();
  const page = Math.min(wanted, pages);
  const selfTurning = !isStill && pages > 1;
  const turns = selfTurning && !paused && !held;
  useEffect(() => {
    if (!turns) return;
    const timer = setTimeout(() => setWanted((page % pages) + 1), PAGE_MS);
    return () => clearTimeout(timer);
  }, [turns, page, pages]);
  return {
    /** From 1. */
    page,
    paused,
    /** True if the pages advance automatically when not paused. */
    selfTurning,
    turn: (by: number) => setWanted(((page - 1 + by + pages) % pages) + 1),
    pause: setPaused,
    /** Pauses while the pointer or the keyboard focus is on the pages. */
    hold: setHeld,
  };
}
