/**
 * The popover of a changed score: on hover and tap of the score, and on focus of the team's link.
 * The rows are not React elements, so the popover listens to the document.
 */
import { useEffect, useId, useLayoutEffect, useRef, useState } from "react";
import { useLook } from "../../api/look";
import type { Board } from "../../domain/board";
import { type Change, changesSince } from "../../domain/since";
import { placeBelow } from "../../ui/place-below/place-below";
import { Changes, SinceTitle } from "../../ui/since/since";
import styles from "./since-tip.module.css";

/** Width of the popover, as in the style sheet. */
const WIDTH_PX = 288;
const CHANGES_MAX = 6;

export interface SinceTipProps {
  board: Board;
  viewer: string | null;
}

/** The score in the row of a focused link. */
function scoreBeside(link: Element): HTMLElement | null {
  const row = link.matches("a:focus-visible") ? link.closest("tr") : null;
  return row?.querySelector<HTMLElement>("[data-score]") ?? null;
}

/** The score that an event is about: under the pointer, or in the row of the focused link. */
function scoreAt({ target, type }: Event): HTMLElement | null {
  if (!(target instanceof Element)) return null;
  return type === "focusin" ? scoreBeside(target) : target.closest<HTMLElement>("[data-score]");
}

/** The score that the viewer has already pointed at, when this part arrives. */
function presentScore(): HTMLElement | null {
  const focused = document.activeElement;
  const hovered = document.querySelector<HTMLElement>("[data-score]:hover");
  return hovered ?? (focused && scoreBeside(focused));
}

function linkOf(score: Element): Element | null {
  return score.closest("tr")?.querySelector("a[title]") ?? null;
}

export default function SinceTip({ board, viewer }: SinceTipProps) {
  const look = useLook(board, viewer);
  const id = useId();
  const popover = useRef<HTMLDivElement>(null);
  const latest = useRef(board);
  latest.current = board;
  const anchor = useRef<Element>(null);
  const [changes, setChanges] = useState<readonly Change[]>([]);
  useEffect(() => {
    const box = popover.current;
    if (!look || !box) return;
    let described: Element | null = null;
    function hide() {
      described?.removeAttribute("aria-describedby");
      described = null;
      if (box?.matches(":popover-open")) box.hidePopover();
    }
    function show(score: HTMLElement | null) {
      const link = score && linkOf(score);
      if (!box || !look || !score || !link) return hide();
      const found = changesSince(look, latest.current, link.getAttribute("title") ?? "");
      if (found.length === 0) return hide();
      anchor.current = score;
      setChanges(found);
      if (!box.matches(":popover-open")) box.showPopover?.();
      described?.removeAttribute("aria-describedby");
      described = link;
      link.setAttribute("aria-describedby", id);
    }
    function follow(event: Event) {
      const isInside = event.target instanceof Node && box?.contains(event.target);
      if (!isInside) show(scoreAt(event));
    }
    function press({ key }: KeyboardEvent) {
      if (key === "Escape") hide();
    }
    const events = ["pointerover", "click", "focusin"];
    for (const name of events) document.addEventListener(name, follow);
    document.addEventListener("keydown", press);
    document.addEventListener("scroll", hide, { capture: true, passive: true });
    show(presentScore());
    return () => {
      hide();
      for (const name of events) document.removeEventListener(name, follow);
      document.removeEventListener("keydown", press);
      document.removeEventListener("scroll", hide, { capture: true });
    };
  }, [look, id]);
  // The height is known when the changes are there.
  useLayoutEffect(() => {
    if (popover.current && anchor.current && changes.length > 0) {
      placeBelow(popover.current, anchor.current, WIDTH_PX);
    }
  }, [changes]);
  if (!look) return null;
  return (
    <div ref={popover} id={id} popover="manual" role="tooltip" className={styles.tip}>
      <strong>
        <SinceTitle atMs={look.atMs} />
      </strong>
      <Changes changes={changes} max={CHANGES_MAX} />
    </div>
  );
}
