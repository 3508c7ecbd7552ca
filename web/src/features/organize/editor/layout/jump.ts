/** Jumps to sections and problems, and the section in view. */
import { type RefObject, useEffect, useState } from "react";
import { type SectionName, sectionId } from "./sections";

const CONTROLS = "input:not([type=file]), textarea, select, [contenteditable=true], button";

const sectionAt = (name: SectionName) => document.getElementById(sectionId(name));

/** The first control of a section; the Markdown editor is in a shadow tree. */
function firstControl(section: HTMLElement): HTMLElement | null {
  const wrong = section.querySelector<HTMLElement>("[aria-invalid=true]");
  return wrong ?? section.querySelector<HTMLElement>(CONTROLS);
}

export type Jump = (name: SectionName, how: { isByKey: boolean }) => void;

/** Scrolls to a section. With the keyboard, its first control or its first error has the focus. */
export const jumpTo: Jump = (name, { isByKey }) => {
  const section = sectionAt(name);
  if (!section) return;
  section.scrollIntoView?.({ block: "start" });
  const target = isByKey ? firstControl(section) : section.querySelector<HTMLElement>("h2");
  target?.focus({ preventScroll: !isByKey });
};

/** The section that has the focus. */
export function focusedSection(): SectionName | undefined {
  const section = document.activeElement?.closest<HTMLElement>("[data-section]");
  return section?.dataset.section as SectionName | undefined;
}

/** Share of the visible height above which a section counts as reached. */
const REACHED = 0.3;

function sectionInView(names: readonly SectionName[], column: HTMLElement): SectionName {
  const { top, bottom } = column.getBoundingClientRect();
  const [from, to] = [Math.max(top, 0), Math.min(bottom, window.innerHeight)];
  const line = from + (to - from) * REACHED;
  const reached = names.filter(
    (name) => (sectionAt(name)?.getBoundingClientRect().top ?? 0) < line,
  );
  const { scrollTop, scrollHeight, clientHeight } = column;
  // The last sections may be too short to reach the line.
  const isAtEnd = scrollTop > 0 && scrollTop + clientHeight >= scrollHeight - 2;
  return (isAtEnd ? names.at(-1) : reached.at(-1)) ?? names[0] ?? "text";
}

/** Section in view, by the scroll position of the column or of the page. */
export function useSectionInView(
  names: readonly SectionName[],
  column: RefObject<HTMLElement | null>,
): SectionName {
  const [current, setCurrent] = useState<SectionName>("text");
  const key = names.join(" ");
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for the names.
  useEffect(() => {
    let frame = 0;
    const look = () => {
      frame = 0;
      if (column.current) setCurrent(sectionInView(names, column.current));
    };
    const onScroll = () => {
      frame ||= requestAnimationFrame(look);
    };
    // Scroll events do not bubble, but they are captured.
    document.addEventListener("scroll", onScroll, { capture: true, passive: true });
    return () => {
      cancelAnimationFrame(frame);
      document.removeEventListener("scroll", onScroll, { capture: true });
    };
  }, [key, column]);
  return current;
}
