/** The view of the scoreboard that the viewer saw last, stored in the browser. */
import { useEffect, useRef, useState } from "react";
import type { Board } from "../domain/board";
import { isComparable, type Look, lookOf, parseLook } from "../domain/since";
import { LOOK_KEY } from "./look-key";
import { readToken } from "./token";

/** Time away from which a return is a new look. */
const AWAY_MIN_MS = 60_000;

/** The view of the last look before this page was loaded, or before the viewer was away. */
let last: Look | null | undefined;

function lastLook(): Look | null {
  if (last === undefined) last = parseLook(read());
  return last;
}

function read(): string | null {
  try {
    return localStorage.getItem(LOOK_KEY);
  } catch {
    return null;
  }
}

/** Stores a view; without storage, or if it is too large, there is none. */
function store(look: Look | null): void {
  try {
    localStorage.setItem(LOOK_KEY, look ? JSON.stringify(look) : "");
  } catch {
    // The next visit explains nothing.
  }
}

/**
 * The view of the viewer's last look; null if there is none for this board. The present view is
 * stored when the page is hidden, closed or left.
 */
export function useLook(board: Board, viewer: string | null): Look | null {
  const [look, setLook] = useState(lastLook);
  const latest = useRef(board);
  latest.current = board;
  useEffect(() => {
    let hiddenAtMs = 0;
    function keep() {
      hiddenAtMs = Date.now();
      store(lookOf(latest.current, viewer, hiddenAtMs));
    }
    function change() {
      if (document.visibilityState === "hidden") {
        keep();
      } else if (hiddenAtMs !== 0 && Date.now() - hiddenAtMs >= AWAY_MIN_MS) {
        last = undefined;
        setLook(lastLook());
      }
    }
    document.addEventListener("visibilitychange", change);
    // Not every browser reports a closed page as hidden.
    window.addEventListener("pagehide", keep);
    return () => {
      document.removeEventListener("visibilitychange", change);
      window.removeEventListener("pagehide", keep);
      // A logout has removed the view, which has the team's own later solves.
      if (viewer === null || readToken() !== "") keep();
    };
  }, [viewer]);
  return look && isComparable(look, board, viewer) ? look : null;
}
