/**
 * A table of thousands of rows, of which those near the window are in the page. To a screen reader
 * each row has its place among all; the row with the focus and the open one stay.
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
import { More, type MoreProps } from "./list";
import { type Column, cellsOf, HeadCells } from "./table";

const ROW_PX = 33;
/** Rows beyond the window: `j` and `k` need some, and so does fast scrolling. */
const BEYOND = 12;
/** With fewer rows left to scroll to, the next page is asked for. */
const LEFT_MIN = 30;

/** Names the row at a place, also once others have come before it. */
export type KeyOf<T> = (rows: readonly T[], place: number) => string;

const estimateSize = () => ROW_PX;

interface TableProps<T> {
  rows: readonly T[];
  /** How many there are with those of further pages; undefined if nobody knows. */
  total: number | undefined;
  keyOf: KeyOf<T>;
  open?: number;
  /** By the same ones as before, a row that is the same object is not drawn again. */
  columns: readonly Column<T>[];
  more: MoreProps;
}

/** Where the rows begin in the page: filters and notes above them may grow. */
function useTop() {
  const body = useRef<HTMLTableSectionElement>(null);
  const [top, setTop] = useState(0);
  useLayoutEffect(() => {
    const box = body.current?.getBoundingClientRect();
    if (box) setTop(Math.round(box.top + window.scrollY));
  });
  return { body, top };
}

/** The place of the row that has the focus, also once others have come before it. */
function useFocused<T>(rows: readonly T[], keyOf: KeyOf<T>) {
  const [key, setKey] = useState<string | undefined>();
  const onFocus = ({ target }: FocusEvent<HTMLElement>) => {
    const { index } = target.closest<HTMLElement>("tr")?.dataset ?? {};
    setKey(index === undefined ? undefined : keyOf(rows, Number(index)));
  };
  const focused = useMemo(
    () => (key === undefined ? -1 : rows.findIndex((_, at) => keyOf(rows, at) === key)),
    [rows, keyOf, key],
  );
  return { focused, onFocus, onBlur: () => setKey(undefined) };
}

/** Asks for the next page when its rows are about to be needed. */
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
  const { rows, total, keyOf, open = -1, columns, more } = props;
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
  // All rows are measured anew with another one.
  const getItemKey = useCallback((at: number) => keyOf(rows, at), [rows, keyOf]);
  const virtual = useWindowVirtualizer<HTMLTableRowElement>({
    count: rows.length,
    estimateSize,
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
        className={index === open ? "org-row-open" : undefined}
      >
        <Cells row={row} columns={columns} />
      </tr>,
    ];
  });
  const rest = top + virtual.getTotalSize() - reached;
  return (
    <>
      <table className="org-table" aria-rowcount={total === undefined ? -1 : total + 1}>
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
      <More {...more} />
    </>
  );
}

function DrawnCells<T>({ row, columns }: { row: T; columns: readonly Column<T>[] }) {
  return cellsOf(columns, row);
}
const Cells = memo(DrawnCells) as typeof DrawnCells;

/** The room of rows that are not in the page. */
function Gap({ px }: { px: number }) {
  return (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: a row does not get the focus.
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
 * Rows that come in at the top wait while somebody reads further down: they would move what is
 * read.
 */
export function useHeld<T>(rows: readonly T[], keyOf: KeyOf<T>, isDown: boolean) {
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
