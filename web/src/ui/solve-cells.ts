/**
 * The cells of the challenges in a row of the board. They are nine tenths of the page's elements
 * and none of them does anything, so they are copies of a drawn pattern rather than React's own:
 * that opens a board of fifty rows in a third of the scripting (docs/performance.md).
 */
import { type RefObject, useLayoutEffect, useRef } from "react";
import type { Messages } from "../messages/en";
import { useMessages } from "../messages/language";
import type { BoardColumn, BoardTeam } from "./board-table";
import styles from "./board-table.module.css";
import { cloneMark } from "./solve-mark";

const emptyRows = new WeakMap<readonly BoardColumn[], DocumentFragment>();

/** A row's cells with nothing in them, a copy for each who asks. */
function emptyCells(columns: readonly BoardColumn[]): Element[] {
  let pattern = emptyRows.get(columns);
  if (!pattern) {
    pattern = document.createDocumentFragment();
    for (const { opensGroup } of columns) {
      const cell = document.createElement("td");
      cell.className = (opensGroup ? styles.groupCell : styles.cell) ?? "";
      pattern.append(cell);
    }
    emptyRows.set(columns, pattern);
  }
  const copy = document.importNode(pattern, true);
  return [...copy.children];
}

type Solves = BoardTeam["solves"];

/** What stands in a row: its cells, and what they were drawn for. */
interface Drawn {
  readonly cells: readonly Element[];
  readonly columns: readonly BoardColumn[];
  readonly say: Messages;
  readonly solves: Solves;
}

const NO_SOLVES: Solves = new Map();

interface SolveCells {
  solves: Solves;
  columns: readonly BoardColumn[];
  /** Where the marks are drawn to be copied; it stands before the row in the page. */
  patterns: RefObject<HTMLElement | null>;
}

/** Keeps a cell for each column at the end of a row; the cells before them are React's. */
export function useSolveCells({ solves, columns, patterns }: SolveCells) {
  const row = useRef<HTMLTableRowElement>(null);
  const drawn = useRef<Drawn>(null);
  const say = useMessages();
  useLayoutEffect(() => {
    let old = drawn.current;
    if (old?.columns !== columns || old.say !== say) {
      for (const cell of old?.cells ?? []) cell.remove();
      old = { cells: emptyCells(columns), columns, say, solves: NO_SOLVES };
      row.current?.append(...old.cells);
    }
    for (const [index, column] of columns.entries()) {
      const solve = solves.get(column.id);
      if (solve === old.solves.get(column.id) || !patterns.current) continue;
      const mark = solve && cloneMark(patterns.current, say, column.name, { ...column, ...solve });
      old.cells[index]?.replaceChildren(...(mark ? [mark] : []));
    }
    drawn.current = { ...old, solves };
  }, [solves, columns, patterns, say]);
  return row;
}
