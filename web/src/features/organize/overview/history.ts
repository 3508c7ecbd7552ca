/** The history of the figures, kept by the tab, so that a reload or another page loses nothing. */
import { useEffect, useMemo } from "react";
import type { Overview } from "../../../api/organize-lists";
import { figuresOf, type History, withSample } from "./figures";

/** Removed with the drafts at logout. */
const KEY = "organize figures";

function stored(event: string): History {
  try {
    const kept = JSON.parse(sessionStorage.getItem(KEY) ?? "null");
    return kept?.event === event ? kept.history : {};
  } catch {
    return {};
  }
}

const sampled = (overview: Overview): History =>
  withSample(stored(overview.name), figuresOf(overview), overview.now);

/** Records the figures of each reading, on every organizer page. */
export function useFigureRecorder(overview: Overview | undefined): void {
  useEffect(() => {
    if (!overview) return;
    try {
      const kept = { event: overview.name, history: sampled(overview) };
      sessionStorage.setItem(KEY, JSON.stringify(kept));
    } catch {
      // Storage is full or not available: the graphs begin with the page.
    }
  }, [overview]);
}

/** The figures of the last hour. */
export function useHistory(overview: Overview): History {
  return useMemo(() => sampled(overview), [overview]);
}
