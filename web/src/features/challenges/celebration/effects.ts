/** Movement of a celebration. With reduced motion, everything is in place at once. */
import { type RefObject, useEffect, useLayoutEffect, useRef } from "react";
import { useReducedMotion } from "../../../ui/motion/motion";
import styles from "./celebration.module.css";
import { burst } from "./confetti";

const COUNT_DELAY_MS = 200;
const COUNT_MS = 700;

/** Counts up to a number in the text of an element. */
export function useCountUp(element: RefObject<HTMLElement | null>, to: number): void {
  const isStill = useReducedMotion();
  useLayoutEffect(() => {
    const number = element.current;
    if (!number || isStill) return;
    const beginMs = performance.now() + COUNT_DELAY_MS;
    let frame = 0;
    const show = (nowMs: number) => {
      const left = 1 - Math.min(1, Math.max(0, (nowMs - beginMs) / COUNT_MS));
      number.textContent = String(Math.round(to * (1 - left ** 3)));
      if (left > 0) frame = requestAnimationFrame(show);
    };
    show(performance.now());
    return () => {
      cancelAnimationFrame(frame);
      number.textContent = String(to);
    };
  }, [element, to, isStill]);
}

/** The region that the focused button opens, or null. */
function openedRegion(): HTMLElement | null {
  return document.getElementById(document.activeElement?.getAttribute("aria-controls") ?? "");
}

/**
 * Focuses a link when it appears, if the focus was in the form that it replaces, or on the heading
 * of its challenge.
 */
export function useFocusOnce(link: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const { activeElement, body } = document;
    const isHere = activeElement === body || openedRegion()?.contains(link.current);
    if (!link.current || !isHere) return;
    link.current.focus({ preventScroll: true });
    link.current.scrollIntoView?.({ block: "nearest" });
  }, [link]);
}

/** Distance of the burst from the upper edge. */
const BURST_PX = 48;

/** Bursts once at the top of the box when `isDue` turns true. */
export function useConfetti(box: RefObject<HTMLElement | null>, isDue: boolean): void {
  const isStill = useReducedMotion();
  const isDone = useRef(false);
  useEffect(() => {
    if (!box.current || !isDue || isStill || isDone.current) return;
    isDone.current = true;
    const { left, right, top } = box.current.getBoundingClientRect();
    burst((left + right) / 2, top + BURST_PX, styles.confetti ?? "");
  }, [box, isDue, isStill]);
}
