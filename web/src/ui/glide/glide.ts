/**
 * Rows that moved up glide to their new place; those that were overtaken just make room. Places are
 * counted, not measured: to ask where a row is would make the browser lay out the whole table.
 */
import { type RefObject, useEffect, useLayoutEffect, useRef } from "react";

const GLIDE: KeyframeAnimationOptions = { duration: 320, easing: "cubic-bezier(0.2, 0.7, 0.2, 1)" };

/** A jump of more than this many pixels would be a blur: it fades in instead. */
const FAR_PX = 600;

/** The height of one row, told by the browser when it has laid the table out anyway. */
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

/** Transform and opacity alone: the compositor moves the row, and no frame is drawn anew for it. */
function glide(row: Element, upPx: number): void {
  const far = upPx > FAR_PX;
  row.animate(far ? { opacity: [0, 1] } : { transform: [`translateY(${upPx}px)`, "none"] }, GLIDE);
}

interface Place {
  readonly team: { readonly teamName: string };
}

/** Watches the elements of `body`: one for each of `rows`, in their order, all of one height. */
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
