/**
 * A virtualized table that renders only the rows near the viewport, plus the focused and the open
 * row. Screen readers get each row's index among all rows.
 */
import { defaultRangeExtractor, type Range, useWindowVirtualizer } from "@tanstack/react-virtual";
import {
  type FocusEvent,
  memo,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import { useMedia } from "../../../ui/motion/motion";
import { More, type MoreProps } from "./list";
import { type Column, cellsOf, HeadCells, TABLE, TABLE_BOX, useIsPhone } from "./table";

/** Heights of a row: with a mouse, with a finger, with two lines. */
const ROW_PX = 37;
const TOUCH_ROW_PX = 45;
const PHONE_ROW_PX = 53;
/** Rows rendered beyond the viewport, for `j` and `k` and for fast scrolling. */
const BEYOND = 12;
/** Number of remaining rows below which the next page is fetched. */
const LEFT_MIN = 30;

/** Returns the key of the row at an index, stable when rows are added above. */
export type KeyOf<T> = (rows: readonly T[], place: number) => string;

/** Expected height of the rows, which are measured when they render. */
function useRowHeight(): number {
  const isCoarse = useMedia("(pointer: coarse)");
  if (useIsPhone()) return PHONE_ROW_PX;
  return isCoarse ? TOUCH_ROW_PX : ROW_PX;
}

interface TableProps<T> {
  rows: readonly T[];
  /** Total number of rows across all pages; undefined if unknown. */
  total: number | undefined;
  keyOf: KeyOf<T>;
  open?: number;
  /** Columns. Unchanged row objects do not re-render if the columns stay the same array. */
  columns: readonly Column<T>[];
  more: MoreProps;
  /** Selected rows, if rows can be selected. */
  isChosen?: ((row: T) => boolean) | undefined;
  /** True while rows are selected, which shows all checkboxes. */
  isSelecting?: boolean;
}

/**
 * Offset of the rows in the page; filters and notes above can grow. Less than a row is ignored,
 * because the rendered rows can wrap the head, which moves the rows and would render others.
 */
function useTop() {
  const body = useRef<HTMLTableSectionElement>(null);
  const [top, setTop] = useState(0);
  useLayoutEffect(() => {
    const box = body.current?.getBoundingClientRect();
    if (!box) return;
    const next = Math.round(box.top + window.scrollY);
    setTop((known) => (Math.abs(known - next) < ROW_PX ? known : next));
  });
  return { body, top };
}

/** Index of the focused row, updated when rows are added above. */
function useFocused<T>(rows: readonly T[], keyOf: KeyOf<T>) {
  const [key, setKey] = useState<string | undefined>();
  const onFocus = ({ target, currentTarget }: FocusEvent<HTMLElement>) => {
    // The menu of a row is outside of the table.
    if (!currentTarget.contains(target)) return;
    const { index } = target.closest<HTMLElement>("tr")?.dataset ?? {};
    setKey(index === undefined ? undefined : keyOf(rows, Number(index)));
  };
  const focused = useMemo(
    () => (key === undefined ? -1 : rows.findIndex((_, at) => keyOf(rows, at) === key)),
    [rows, keyOf, key],
  );
  return { focused, onFocus, onBlur: () => setKey(undefined) };
}

/** Fetches the next page shortly before its rows are needed. */
function useNextPage(left: number, { hasNextPage, isFetchingNextPage, fetchNextPage }: MoreProps) {
  const isDue = left < LEFT_MIN && hasNextPage && !isFetchingNextPage;
  const ask = useRef(fetchNextPage);
  useEffect(() => {
    ask.current = fetchNextPage;
  });
  useEffect(() => {
    if (isDue) void ask.current();
  }, [isDue]);
}

export function RowsTable<T>(props: TableProps<T>) {
  const { rows, total, keyOf, open = -1, columns, more, isChosen, isSelecting = false } = props;
  const rowHeight = useRowHeight();
  const { body, top } = useTop();
  const { focused, onFocus, onBlur } = useFocused(rows, keyOf);
  const rangeExtractor = useCallback(
    (range: Range) => {
      const kept = [focused, open].filter((at) => at >= 0 && at < range.count);
      const shown = [...defaultRangeExtractor(range), ...kept];
      return [...new Set(shown)].sort((a, b) => a - b);
    },
    [focused, open],
  );
  // A new function would make all rows be measured again.
  const getItemKey = useCallback((at: number) => keyOf(rows, at), [rows, keyOf]);
  const virtual = useWindowVirtualizer<HTMLTableRowElement>({
    count: rows.length,
    estimateSize: useCallback(() => rowHeight, [rowHeight]),
    overscan: BEYOND,
    scrollMargin: top,
    getItemKey,
    rangeExtractor,
  });
  const items = virtual.getVirtualItems();
  useNextPage(rows.length - 1 - (virtual.range?.endIndex ?? 0), more);
  let reached = top;
  const shown = items.flatMap(({ index, key, start, end }) => {
    const row = rows[index];
    const gap = start - reached;
    reached = end;
    if (row === undefined) return [];
    return [
      gap > 0 && <Gap key={`before ${key}`} px={gap} />,
      <tr
        key={key}
        ref={virtual.measureElement}
        data-index={index}
        aria-rowindex={index + 2}
        data-chosen={isChosen?.(row) || undefined}
        className={index === open ? "org-row-open" : undefined}
      >
        <Cells row={row} columns={columns} />
      </tr>,
    ];
  });
  const rest = top + virtual.getTotalSize() - reached;
  return (
    <>
      <div className={TABLE_BOX}>
        <table
          className={TABLE}
          data-selecting={isSelecting || undefined}
          aria-rowcount={total === undefined ? -1 : total + 1}
        >
          <thead>
            <tr aria-rowindex={1}>
              <HeadCells columns={columns} />
            </tr>
          </thead>
          <tbody ref={body} onFocus={onFocus} onBlur={onBlur}>
            {shown}
            {rest > 0 && <Gap px={rest} />}
          </tbody>
        </table>
      </div>
      <More {...more} />
    </>
  );
}

function DrawnCells<T>({ row, columns }: { row: T; columns: readonly Column<T>[] }) {
  return cellsOf(columns, row);
}
const Cells = memo(DrawnCells) as typeof DrawnCells;

/** Space of rows that are not rendered. */
function Gap({ px }: { px: number }) {
  return (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: the row is not focusable.
    <tr aria-hidden="true" className="org-gap">
      <td style={{ height: px }} />
    </tr>
  );
}

export function useIsDown(): boolean {
  const [isDown, setDown] = useState(false);
  useEffect(() => {
    const onScroll = () => setDown(window.scrollY > window.innerHeight / 2);
    window.addEventListener("scroll", onScroll, { passive: true });
    return () => window.removeEventListener("scroll", onScroll);
  }, []);
  return isDown;
}

/**
 * Holds back new rows while the user is scrolled down, because they would shift the visible rows.
 */
export function useDeferredRows<T>(rows: readonly T[], keyOf: KeyOf<T>, isDown: boolean) {
  const [top, setTop] = useState<string | null>(null);
  const found = useMemo(
    () => (top === null ? -1 : rows.findIndex((_, at) => keyOf(rows, at) === top)),
    [rows, keyOf, top],
  );
  const kept = found === -1 ? keyOf(rows, 0) : top;
  const next = isDown && rows.length > 0 ? kept : null;
  if (next !== top) setTop(next);
  const held = Math.max(0, found);
  const shown = useMemo(() => (held === 0 ? rows : rows.slice(held)), [rows, held]);
  return { shown, held };
}
