/**
 * The popover with a column's name: on hover, on focus and on tap. A tap also shows a button for
 * the challenge's solvers, which a click of a mouse opens at once.
 */
import { type PointerEvent, type RefObject, useRef, useState } from "react";
import { useMessages } from "../../messages/language";
import { CategorySign } from "../category-sign/category-sign";
import { placeBelow } from "../place-below/place-below";
import type { BoardDetail } from "./board-table";
import styles from "./board-table.module.css";

/** Width of the popover, as in the style sheet. */
const WIDTH_PX = 240;

interface Shown {
  readonly id: string;
  readonly isTap: boolean;
}

function isOpen(popover: HTMLElement): boolean {
  return popover.showPopover !== undefined && popover.matches(":popover-open");
}

export interface ColumnTipState {
  readonly popover: RefObject<HTMLDivElement | null>;
  readonly shown: Shown | null;
  readonly hide: () => void;
  /** Shows the name of a tapped column. */
  readonly tap: (id: string, header: Element | null) => void;
  /** Handlers of the row of headers. Each header has its challenge in `data-column`. */
  readonly handlers: object;
}

const headerOf = (target: EventTarget | null) =>
  target instanceof Element ? target.closest<HTMLElement>("[data-column]") : null;

export function useColumnTip(): ColumnTipState {
  const popover = useRef<HTMLDivElement>(null);
  const [shown, setShown] = useState<Shown | null>(null);
  const show = (header: Element | null, id: string | undefined, isTap: boolean) => {
    if (!popover.current || !header || id === undefined) return;
    placeBelow(popover.current, header, WIDTH_PX);
    setShown({ id, isTap });
    if (!isOpen(popover.current)) popover.current.showPopover?.();
  };
  const hide = () => {
    setShown(null);
    if (popover.current && isOpen(popover.current)) popover.current.hidePopover();
  };
  const isInside = (next: EventTarget | null) =>
    next instanceof Node && popover.current?.contains(next) === true;
  const handlers = {
    onPointerOver: ({ target, pointerType }: PointerEvent) => {
      const header = headerOf(target);
      if (pointerType !== "touch") show(header, header?.dataset.column, false);
    },
    onPointerOut: ({ pointerType, relatedTarget }: PointerEvent) => {
      const isLeft = headerOf(relatedTarget) === null && !isInside(relatedTarget);
      if (pointerType !== "touch" && isLeft) hide();
    },
    onFocus: ({ target }: { target: Element }) => {
      const header = headerOf(target);
      if (target.matches(":focus-visible")) show(header, header?.dataset.column, false);
    },
    onBlur: ({ relatedTarget }: { relatedTarget: EventTarget | null }) => {
      if (headerOf(relatedTarget) === null && !isInside(relatedTarget)) hide();
    },
  };
  return { popover, shown, hide, tap: (id, header) => show(header, id, true), handlers };
}

interface ColumnTipProps {
  tip: ColumnTipState;
  detail: BoardDetail;
  onColumn: ((id: string) => void) | undefined;
}

export function ColumnTip({ tip, detail, onColumn }: ColumnTipProps) {
  const { challenges, solvers } = useMessages();
  const { shown, hide } = tip;
  const column = detail.columns.find(({ id }) => id === shown?.id);
  const value = column && detail.values.get(column.id);
  const facts = [
    ...(typeof value === "number" ? [challenges.points(value)] : []),
    challenges.solves((column && detail.solves.get(column.id)) ?? 0),
  ];
  return (
    <div
      ref={tip.popover}
      popover="auto"
      role={shown?.isTap ? "group" : "tooltip"}
      className={styles.tip}
      onToggle={({ newState }) => newState === "closed" && hide()}
      onPointerLeave={({ pointerType }) => pointerType !== "touch" && hide()}
    >
      {column && (
        <>
          <strong>
            <bdi>{column.name}</bdi>
          </strong>
          <span>
            {column.category && <CategorySign category={column.category} />}
            {column.category}
          </span>
          <span>{facts.join(" · ")}</span>
          {shown?.isTap && onColumn && (
            <button
              type="button"
              onClick={() => {
                hide();
                onColumn(column.id);
              }}
            >
              {solvers.of(column.name)}
            </button>
          )}
        </>
      )}
    </div>
  );
}
