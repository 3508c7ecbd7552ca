/** Keeps the current item of a row that scrolls sideways, such as tabs, in view. */
import { type RefObject, useLayoutEffect, useRef } from "react";

/** Ref of a box that contains the row. Each new item is scrolled to the middle of the row. */
export function useShownItem<Box extends HTMLElement>(item: string): RefObject<Box | null> {
  const box = useRef<Box>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each item is scrolled to.
  useLayoutEffect(() => {
    const open = box.current?.querySelector<HTMLElement>("[aria-current]");
    const row = open?.closest("ol, nav");
    if (!open || !row) return;
    const middle = ({ left, width }: DOMRect) => left + width / 2;
    row.scrollLeft += middle(open.getBoundingClientRect()) - middle(row.getBoundingClientRect());
  }, [item]);
  return box;
}
