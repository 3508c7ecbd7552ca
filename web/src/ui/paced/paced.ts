/** Throttles a value that changes often, for components that are slow to render. */
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
