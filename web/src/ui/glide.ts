/** Rows that moved up glide to their new place; those that were overtaken just make room. */
import { type RefObject, useLayoutEffect, useRef } from "react";

const GLIDE: KeyframeAnimationOptions = { duration: 320, easing: "cubic-bezier(0.2, 0.7, 0.2, 1)" };

/** A jump of more than this many pixels would be a blur: it fades in instead. */
const FAR_PX = 600;

function placesOf(body: HTMLElement): Map<string, { row: HTMLElement; top: number }> {
  const rows = body.querySelectorAll<HTMLElement>(":scope > [data-glide]");
  return new Map(
    [...rows].map((row) => [row.dataset.glide ?? "", { row, top: row.offsetTop }] as const),
  );
}

function glide(row: HTMLElement, upPx: number): void {
  const from = upPx > FAR_PX ? { opacity: 0 } : { transform: `translateY(${upPx}px)` };
  row.animate([{ ...from, zIndex: 1 }, { zIndex: 1 }], GLIDE);
}

/**
 * Watches the children with `data-glide` of `body`; looks again whenever `rows` is another list.
 */
export function useGlide(body: RefObject<HTMLElement | null>, rows: readonly unknown[]): void {
  const before = useRef<Map<string, { top: number }>>(new Map());
  // biome-ignore lint/correctness/useExhaustiveDependencies: the rows are what moves.
  useLayoutEffect(() => {
    if (!body.current) return;
    const places = placesOf(body.current);
    const isStill = window.matchMedia("(prefers-reduced-motion: reduce)").matches;
    for (const [name, { row, top }] of isStill ? [] : places) {
      const upPx = (before.current.get(name)?.top ?? top) - top;
      if (upPx > 0) glide(row, upPx);
    }
    before.current = places;
  }, [body, rows]);
}
