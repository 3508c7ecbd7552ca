/** Tables by their columns. */
import type { ComponentProps, ReactNode } from "react";

export interface Column<T> {
  /** The word in the head; without one, its cell is empty. */
  word?: string;
  title?: string;
  className?: string;
  /** The class of a cell below the head, where it is another one. */
  classOf?: (row: T) => string | undefined;
  /** Whether it names the row. */
  isName?: boolean;
  /** Whether its cell is where the keys of rows lead to, rather than a link in it. */
  takesFocus?: boolean;
  cell: (row: T) => ReactNode;
}

export function HeadCells<T>({ columns }: { columns: readonly Column<T>[] }) {
  return columns.map(({ word, title, className }, at) => {
    const Cell = word === undefined ? "td" : "th";
    const scope = word === undefined ? undefined : "col";
    return (
      <Cell key={word ?? at} scope={scope} title={title} className={className}>
        {word}
      </Cell>
    );
  });
}

export function cellsOf<T>(columns: readonly Column<T>[], row: T): ReactNode {
  return columns.map(({ className, classOf, isName, takesFocus, cell }, at) => {
    const Cell = isName ? "th" : "td";
    return (
      <Cell
        // biome-ignore lint/suspicious/noArrayIndexKey: the columns stay in their order.
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
}

/** A table; its children come before its head. */
export function Table<T>(props: TableProps<T>) {
  const { columns, rows, keyOf, row, className = "org-table", children } = props;
  return (
    <table className={className}>
      {children}
      <thead>
        <tr>
          <HeadCells columns={columns} />
        </tr>
      </thead>
      <tbody>
        {rows.map((one) => (
          <tr key={keyOf(one)} {...row?.(one)}>
            {cellsOf(columns, one)}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
