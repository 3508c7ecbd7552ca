/**
 * Preserves keyboard focus. When a focused element disappears, such as the button of a completed
 * action, the focus moves to the nearest focusable element.
 */
import { useEffect } from "react";

const FOCUSABLE =
  "a[href], button:not(:disabled), input:not(:disabled), select:not(:disabled), " +
  "textarea:not(:disabled), [tabindex]";

function around(element: Element): readonly Element[] {
  const parent = element.parentElement;
  return parent ? [parent, ...around(parent)] : [];
}

/** Nearest focusable element in the remaining ancestors, within the page. */
function nearest(ancestors: readonly Element[]): HTMLElement | null {
  for (const one of ancestors) {
    if (!one.isConnected) continue;
    if (one.matches(".org") || one.querySelector(".org")) break;
    const found = one.matches("[tabindex]") ? one : one.querySelector(FOCUSABLE);
    if (found instanceof HTMLElement) return found;
  }
  return document.querySelector<HTMLElement>("main");
}

export function useKeptFocus(): void {
  useEffect(() => {
    let last: Element | null = null;
    let ancestors: readonly Element[] = [];
    let timer: ReturnType<typeof setTimeout> | undefined;
    const onFocus = ({ target }: FocusEvent) => {
      last = target instanceof Element ? target : null;
      ancestors = last ? around(last) : [];
    };
    // A click on empty space removes the focus on purpose.
    const onPointer = () => {
      last = null;
    };
    const isLost = () =>
      last !== null &&
      document.activeElement === document.body &&
      (!last.isConnected || last.matches(":disabled"));
    // Opening pages and closing dialogs set the focus themselves.
    const look = () => {
      clearTimeout(timer);
      if (isLost())
        timer = setTimeout(() => isLost() && nearest(ancestors)?.focus({ preventScroll: true }));
    };
    const observer = new MutationObserver(look);
    const changes = { attributeFilter: ["disabled"], childList: true, subtree: true };
    observer.observe(document.body, changes);
    document.addEventListener("focusin", onFocus);
    document.addEventListener("pointerdown", onPointer);
    return () => {
      clearTimeout(timer);
      observer.disconnect();
      document.removeEventListener("focusin", onFocus);
      document.removeEventListener("pointerdown", onPointer);
    };
  }, []);
}
