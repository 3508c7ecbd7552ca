/**
 * Rows that moved up glide to their new position; overtaken rows jump. Positions come from the
 * row's index, because measuring would force a layout of the whole table.
 */
import { type RefObject, useEffect, useLayoutEffect, useRef } from "react";

const GLIDE: KeyframeAnimationOptions = { duration: 320, easing: "cubic-bezier(0.2, 0.7, 0.2, 1)" };

/** Distance above which a row fades in instead of gliding. */
const FAR_PX = 600;

/** The height of one row, from a `ResizeObserver`, which does not force a layout. */
function useRowHeightPx(body: RefObject<HTMLElement | null>): RefObject<number> {
  const heightPx = useRef(0);
  useEffect(() => {
    const rows = body.current;
    if (!rows) return;
    const observer = new ResizeObserver(([entry]) => {
      if (entry) heightPx.current = entry.contentRect.height / Math.max(1, rows.childElementCount);
    });
    observer.observe(rows);
    return () => observer.disconnect();
  }, [body]);
  return heightPx;
}

/** Animates transform or opacity only, which the compositor does without repainting. */
function glide(row: Element, upPx: number): void {
  const far = upPx > FAR_PX;
  row.animate(far ? { opacity: [0, 1] } : { transform: [`translateY(${upPx}px)`, "none"] }, GLIDE);
}

interface Place {
  readonly team: { readonly teamName: string };
}

/** Animates the children of `body`. They are equally high and correspond to `rows`, in order. */
export function useGlide(body: RefObject<HTMLElement | null>, rows: readonly Place[]): void {
  const before = useRef<ReadonlyMap<string, number>>(new Map());
  const heightPx = useRowHeightPx(body);
  useLayoutEffect(() => {
    const names = rows.map(({ team }) => team.teamName);
    const places = new Map(names.map((name, place) => [name, place]));
    const moved = names.filter((name, place) => (before.current.get(name) ?? place) > place);
    const isStill =
      moved.length === 0 || window.matchMedia("(prefers-reduced-motion: reduce)").matches;
    for (const name of isStill ? [] : moved) {
      const place = places.get(name) ?? 0;
      const row = body.current?.children[place];
      const upPx = ((before.current.get(name) ?? place) - place) * heightPx.current;
      if (row && upPx > 0) glide(row, upPx);
    }
    before.current = places;
  });
}
