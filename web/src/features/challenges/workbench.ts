/**
 * The workbench: list and task side by side, each with its own scrolling, in a large window. Sizes
 * count in letters, because large letters need as much room as a small window leaves. The style
 * sheets read the layout from the root element.
 */
import { type RefObject, useCallback, useLayoutEffect, useSyncExternalStore } from "react";

/** `column` is the layout of phones; `wide` has another column beside the text of a task. */
export type Layout = "column" | "workbench" | "wide";

const LETTER_PX_DEFAULT = 16;
const WORKBENCH_REM_MIN = 64;
const WIDE_REM_MIN = 100;
const HEIGHT_REM_MIN = 34;

function layoutOf(): Layout {
  const { fontSize } = getComputedStyle(document.documentElement);
  const letterPx = Number.parseFloat(fontSize) || LETTER_PX_DEFAULT;
  const width = window.innerWidth / letterPx;
  if (width < WORKBENCH_REM_MIN || window.innerHeight / letterPx < HEIGHT_REM_MIN) return "column";
  return width < WIDE_REM_MIN ? "workbench" : "wide";
}

/** The current layout. `text` is an element whose size changes with the letters. */
export function useLayout(text: RefObject<HTMLElement | null>): Layout {
  const subscribe = useCallback(
    (listener: () => void) => {
      const letters = new ResizeObserver(listener);
      if (text.current) letters.observe(text.current);
      window.addEventListener("resize", listener);
      return () => {
        letters.disconnect();
        window.removeEventListener("resize", listener);
      };
    },
    [text],
  );
  const layout = useSyncExternalStore(subscribe, layoutOf);
  useLayoutEffect(() => {
    const root = document.documentElement;
    if (layout !== "column") root.dataset.workbench = layout;
    return () => {
      delete root.dataset.workbench;
    };
  }, [layout]);
  return layout;
}
