/** Tables defined by columns. */
import type { ComponentProps, ReactNode } from "react";
import { useMedia } from "../../../ui/motion/motion";
import styles from "./table.module.css";
import { changeView, useView } from "./view";

export interface Column<T> {
  /** Column heading; empty if not set. */
  word?: string | undefined;
  title?: string | undefined;
  /** Content of the heading, if it is not only a word. */
  head?: ReactNode;
  /** Value of the `order` parameter that sorts by the column. */
  order?: string;
  /** True if that order begins with the smallest value. */
  isAscending?: boolean;
  className?: string | undefined;
  /** Class of body cells, if it differs from the heading's. */
  classOf?: (row: T) => string | undefined;
  /** True if the cell is the row header. */
  isName?: boolean;
  /** True if row navigation focuses the cell itself instead of a link in it. */
  takesFocus?: boolean;
  cell: (row: T) => ReactNode;
}

/** True on narrow screens, where a row has two lines instead of many columns. */
export function useIsPhone(): boolean {
  return useMedia("(width < 44rem)");
}

/** Class of a link that takes clicks on its whole row. */
export const ROW_LINK = styles.link;

/** Class of cells with the row's checkbox. */
export const CHECK_CELL = styles.check;

/** Second line of a row on phones. */
export function SecondLine({ children }: { children: ReactNode }) {
  return <span className={styles.second}>{children}</span>;
}

/** Actions that appear at the end of a row, over its last cells; the menu keeps its place. */
export function RowActions({ quick, menu }: { quick?: ReactNode; menu: ReactNode }) {
  return (
    <span className={styles.actions}>
      {quick && <span className={styles.quick}>{quick}</span>}
      {menu}
    </span>
  );
}

/** A number, and its share of the largest one as a bar. */
export function Bar({ value, max, isBad }: { value: number; max: number; isBad?: boolean }) {
  const share = max > 0 ? Math.min(1, value / max) : 0;
  return (
    <span className={styles.figure}>
      <span aria-hidden="true" className={styles.bar} data-bad={isBad || undefined}>
        <span style={{ inlineSize: `${share * 100}%` }} />
      </span>
      <span className={styles.number}>{value}</span>
    </span>
  );
}

function SortHead({ order, word }: { order: string; word: string }) {
  const isOn = useView()("order") === order;
  const sort = () => changeView({ order: isOn ? undefined : order }, { replace: true });
  return (
    <button type="button" className={styles.sort} data-on={isOn || undefined} onClick={sort}>
      {word}
      <svg viewBox="0 0 8 8" width="8" height="8" aria-hidden="true">
        <path d="M1 2.5l3 3.5 3-3.5z" />
      </svg>
    </button>
  );
}

export function HeadCells<T>({ columns }: { columns: readonly Column<T>[] }) {
  const shown = useView()("order");
  return columns.map(({ word, title, head, order, isAscending, className }, at) => {
    const Cell = word === undefined ? "td" : "th";
    const scope = word === undefined ? undefined : "col";
    const direction = isAscending ? "ascending" : "descending";
    const sorted = order === shown ? direction : undefined;
    const text = word !== undefined && order !== undefined;
    return (
      <Cell key={word ?? at} scope={scope} title={title} className={className} aria-sort={sorted}>
        {head ?? (text ? <SortHead order={order} word={word} /> : word)}
      </Cell>
    );
  });
}

export function cellsOf<T>(columns: readonly Column<T>[], row: T): ReactNode {
  return columns.map(({ className, classOf, isName, takesFocus, cell }, at) => {
    const Cell = isName ? "th" : "td";
    return (
      <Cell
        // biome-ignore lint/suspicious/noArrayIndexKey: the column order is fixed.
        key={at}
        scope={isName ? "row" : undefined}
        className={classOf ? classOf(row) : className}
        data-row={takesFocus}
        tabIndex={takesFocus ? -1 : undefined}
      >
        {cell(row)}
      </Cell>
    );
  });
}

interface TableProps<T> extends Pick<ComponentProps<"table">, "className" | "children"> {
  columns: readonly Column<T>[];
  rows: readonly T[];
  keyOf: (row: T) => string | number;
  row?: (row: T) => Pick<ComponentProps<"tr">, "id" | "className">;
  /** Selected rows, if rows can be selected. */
  isChosen?: ((row: T) => boolean) | undefined;
  /** True while rows are selected, which shows all checkboxes. */
  isSelecting?: boolean;
}

/** Classes of tables, whose head sticks below the bar, and of the boxes around them. */
export const TABLE = `${styles.table}`;
export const TABLE_BOX = styles.box;

/** A table; `children` render before its head. */
export function Table<T>(props: TableProps<T>) {
  const { columns, rows, keyOf, row, className = TABLE, children } = props;
  const { isChosen, isSelecting = false } = props;
  return (
    <div className={styles.box}>
      <table className={className} data-selecting={isSelecting || undefined}>
        {children}
        <thead>
          <tr>
            <HeadCells columns={columns} />
          </tr>
        </thead>
        <tbody>
          {rows.map((one) => (
            <tr key={keyOf(one)} data-chosen={isChosen?.(one) || undefined} {...row?.(one)}>
              {cellsOf(columns, one)}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
