/** Placement of a popover below a part of the board, or above it at the end of the window. */

/** Distance from the edges of the window. */
const EDGE_PX = 8;

/**
 * Sets the position of a popover that has this width, for `translate` in its style sheet.
 */
export function placeBelow(popover: HTMLElement, anchor: Element, widthPx: number): void {
  const { left, right, top, bottom } = anchor.getBoundingClientRect();
  const { clientWidth, clientHeight } = document.documentElement;
  const nearest = Math.max((left + right) / 2, widthPx / 2 + EDGE_PX);
  const x = Math.min(nearest, clientWidth - widthPx / 2 - EDGE_PX);
  const isRightToLeft = getComputedStyle(anchor).direction === "rtl";
  popover.style.setProperty("--x", `${isRightToLeft ? x - clientWidth : x}px`);
  const isBelow = bottom + popover.offsetHeight <= clientHeight;
  popover.style.setProperty("--y", `${isBelow ? bottom : top - popover.offsetHeight}px`);
}
