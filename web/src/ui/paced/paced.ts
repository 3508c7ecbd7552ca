/** A value that changes often, at most every so many milliseconds: for what is costly to draw. */
import { useEffect, useRef, useState } from "react";

export function usePaced<T>(value: T, everyMs: number): T {
  const [shown, setShown] = useState(value);
  const shownAtMs = useRef(0);
  useEffect(() => {
    const waitMs = Math.max(0, shownAtMs.current + everyMs - Date.now());
    const timer = setTimeout(() => {
      shownAtMs.current = Date.now();
      setShown(value);
    }, waitMs);
    return () => clearTimeout(timer);
  }, [value, everyMs]);
  return shown;
}
