/** Throttles a value that changes often, for components that are slow to render. */
import { useEffect, useRef, useState } from "react";

/** The value, at most one change in `everyMs`. The first change is shown at once. */
export function useThrottled<T>(value: T, everyMs: number): T {
  const [shown, setShown] = useState(value);
  const shownAtMs = useRef(Number.NEGATIVE_INFINITY);
  useEffect(() => {
    if (Object.is(value, shown)) return;
    const show = () => {
      shownAtMs.current = Date.now();
      setShown(() => value);
    };
    const waitMs = shownAtMs.current + everyMs - Date.now();
    if (waitMs <= 0) return show();
    const timer = setTimeout(show, waitMs);
    return () => clearTimeout(timer);
  }, [value, shown, everyMs]);
  return shown;
}
