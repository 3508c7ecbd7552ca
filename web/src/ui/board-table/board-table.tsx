/**
 * The scoreboard as a table: rank, country, team, score, and in detail a column per challenge under
 * its category. React renders the head; `board-rows.ts` renders the rows.
 *
 * Each row is a box with its own layout, which removes the table's implicit roles: all roles are
 * explicit.
 */
import { type CSSProperties, type RefObject, useLayoutEffect, useRef } from "react";
import { useMessages } from "../../messages/language";
import { CategoryDot } from "../category-dot/category-dot";
import { useGlide } from "../glide/glide";
import { MarkPatterns } from "../solve-mark/solve-mark";
import {
  type BoardColumn,
  type BoardLook,
  type BoardRow,
  BoardRows,
  LEADING_COLUMNS,
} from "./board-rows";
import styles from "./board-table.module.css";

export interface BoardDetail {
  readonly groups: readonly { category: string; span: number }[];
  readonly columns: readonly BoardColumn[];
  /** The points value of each column by id; null shows the dash of a speedrun. */
  readonly values: ReadonlyMap<string, number | null>;
}

interface BoardTableProps {
  caption: string;
  rows: readonly BoardRow[];
  /** The viewer's row if it is not among `rows`; shown below them. */
  ownRow: BoardRow | null;
  ownTeam: string | null;
  /** The viewer's team has solves of its own that the freeze hides from others. */
  hasLaterSolve?: boolean;
  detail?: BoardDetail;
  /** A column's header was activated. */
  onColumn?: (id: string) => void;
}

const NO_COLUMNS: readonly BoardColumn[] = [];

/** Custom properties by which the style sheet counts columns. */
function columnCount(count: number): CSSProperties {
  return Object.fromEntries([["--columns", count]]);
}

/** Categories over the columns of their challenges; over one there is room for letters alone. */
function CategoryRow({ groups }: { groups: BoardDetail["groups"] }) {
  return (
    <tr role="row" className={styles.head}>
      <td
        role="cell"
        colSpan={LEADING_COLUMNS}
        aria-colspan={LEADING_COLUMNS}
        className={styles.beforeCategories}
      />
      {groups.map(({ category, span }) => (
        <th
          key={category}
          role="columnheader"
          scope="colgroup"
          colSpan={span}
          aria-colspan={span}
          className={styles.category}
          title={category}
          style={columnCount(span)}
        >
          {span > 1 && <CategoryDot category={category} />}
          {category}
        </th>
      ))}
    </tr>
  );
}

interface ValueHeadersProps extends Pick<BoardDetail, "columns" | "values"> {
  onColumn: ((id: string) => void) | undefined;
}

function ValueHeaders({ columns, values, onColumn }: ValueHeadersProps) {
  const { board, solvers } = useMessages();
  return columns.map((column) => {
    const value = values.get(column.id) ?? null;
    const [label, button] =
      value === null
        ? [board.speedrunColumn(column.name), solvers.ofSpeedrun(column.name)]
        : [board.valueColumn(column.name, value), solvers.ofValue(column.name, value)];
    return (
      <th
        key={column.id}
        role="columnheader"
        scope="col"
        className={column.opensGroup ? styles.groupCell : styles.cell}
        title={column.name}
        aria-label={label}
      >
        <button
          type="button"
          className={styles.value}
          aria-label={button}
          onClick={() => onColumn?.(column.id)}
        >
          {value ?? "–"}
        </button>
      </th>
    );
  });
}

interface BodyProps extends Pick<BoardLook, "columns" | "ownTeam"> {
  rows: readonly BoardRow[];
  hasLaterSolve: boolean;
  marks: RefObject<Element | null>;
  className?: string | undefined;
}

function Body({ rows, columns, ownTeam, hasLaterSolve, marks, className = "" }: BodyProps) {
  const messages = useMessages();
  const body = useRef<HTMLTableSectionElement>(null);
  const drawn = useRef<BoardRows>(null);
  useLayoutEffect(() => {
    if (!body.current) return;
    const look = drawn.current?.look;
    if (look?.columns !== columns || look.messages !== messages || look.ownTeam !== ownTeam) {
      const patterns = [...(marks.current?.children ?? [])];
      drawn.current = new BoardRows(body.current, { columns, marks: patterns, messages, ownTeam });
    }
    drawn.current?.show(rows, hasLaterSolve);
  }, [rows, columns, ownTeam, hasLaterSolve, marks, messages]);
  useGlide(body, rows);
  return <tbody role="rowgroup" ref={body} className={`${styles.rows} ${className}`} />;
}

export function BoardTable(props: BoardTableProps) {
  const { caption, rows, ownRow, ownTeam, hasLaterSolve = false, detail, onColumn } = props;
  const { board } = useMessages();
  const columns = detail?.columns ?? NO_COLUMNS;
  const marks = useRef<HTMLDivElement>(null);
  const body = { columns, ownTeam, hasLaterSolve, marks };
  return (
    // A region that scrolls must be reachable by keyboard.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: see above.
    <section className={styles.scroll} tabIndex={0} aria-label={caption}>
      {detail && <MarkPatterns ref={marks} />}
      <table
        role="table"
        className={detail ? styles.detailed : styles.board}
        style={columnCount(columns.length)}
      >
        <caption className="visually-hidden">{caption}</caption>
        <thead role="rowgroup" className={styles.rows}>
          {detail && <CategoryRow groups={detail.groups} />}
          <tr role="row" className={styles.head}>
            <th role="columnheader" scope="col" className={styles.rank}>
              #
            </th>
            <th role="columnheader" scope="col" className={styles.country}>
              <span className="visually-hidden">{board.country}</span>
            </th>
            <th role="columnheader" scope="col" className={styles.team}>
              {board.team}
            </th>
            <th role="columnheader" scope="col" className={styles.score}>
              {board.score}
            </th>
            {detail && (
              <ValueHeaders columns={columns} values={detail.values} onColumn={onColumn} />
            )}
          </tr>
        </thead>
        <Body rows={rows} {...body} />
        {ownRow && <Body rows={[ownRow]} className={styles.appended} {...body} />}
      </table>
    </section>
  );
}
