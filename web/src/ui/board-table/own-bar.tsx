/**
 * The viewer's row at the bottom edge of the window, while it is out of view in the table. It is a
 * copy of the row, so its cells are below those of the table, also if the table is swiped aside.
 */
import { type HTMLAttributes, type RefObject, useEffect, useRef, useState } from "react";
import { useMessages } from "../../messages/language";
import { useReducedMotion } from "../motion/motion";
import styles from "./own-bar.module.css";

const OWN_ROW = '[role="row"][aria-current="true"]';
const CHANGES = { subtree: true, childList: true, characterData: true, attributes: true };

function ownRowIn(frame: HTMLElement | null): HTMLElement | null {
  return frame?.querySelector<HTMLElement>(OWN_ROW) ?? null;
}

/** The viewer's row while it is in the table, but outside of the window. */
function useRowOutOfView(frame: RefObject<HTMLElement | null>): HTMLElement | null {
  const [out, setOut] = useState<HTMLElement | null>(null);
  const observed = useRef<HTMLElement | null>(null);
  const observer = useRef<IntersectionObserver>(null);
  // The table draws its rows itself, and can replace the element of a row.
  useEffect(() => {
    const row = ownRowIn(frame.current);
    if (row === observed.current || !("IntersectionObserver" in window)) return;
    observed.current = row;
    observer.current?.disconnect();
    observer.current = new IntersectionObserver((entries) =>
      setOut(entries.at(-1)?.isIntersecting === false ? row : null),
    );
    if (row) observer.current.observe(row);
    else setOut(null);
  });
  useEffect(
    () => () => {
      observer.current?.disconnect();
      observed.current = null;
    },
    [],
  );
  return out;
}

/** Copies the row into `place` after each change, at the table's position. */
function useCopy(row: HTMLElement | null, place: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const view = place.current;
    const table = row?.closest("section");
    if (!row || !view || !table) return;
    const copy = () => {
      // A deep clone has the type of its original.
      const shown = row.cloneNode(true) as HTMLElement;
      shown.removeAttribute("aria-current");
      view.firstElementChild?.replaceChildren(shown);
    };
    const follow = () => {
      view.scrollLeft = table.scrollLeft;
    };
    copy();
    follow();
    const changes = new MutationObserver(copy);
    changes.observe(row, CHANGES);
    table.addEventListener("scroll", follow, { passive: true });
    return () => {
      changes.disconnect();
      table.removeEventListener("scroll", follow);
    };
  }, [row, place]);
}

export interface OwnBarProps {
  frame: RefObject<HTMLElement | null>;
  /** Class and properties of the table, which give the columns their widths. */
  look: HTMLAttributes<HTMLElement>;
}

export default function OwnBar({ frame, look }: OwnBarProps) {
  const { board } = useMessages();
  const isStill = useReducedMotion();
  const row = useRowOutOfView(frame);
  const place = useRef<HTMLSpanElement>(null);
  useCopy(row, place);
  if (!row) return null;
  const toRow = () => {
    row.scrollIntoView({ block: "center", behavior: isStill ? "auto" : "smooth" });
    row.querySelector("a")?.focus({ preventScroll: true });
  };
  return (
    <div className={styles.ownBar}>
      <button type="button" title={board.toOwnRow} onClick={toRow}>
        <span className="visually-hidden">{board.toOwnRow}</span>
        <span ref={place} inert aria-hidden="true">
          <span {...look} />
        </span>
      </button>
    </div>
  );
}
