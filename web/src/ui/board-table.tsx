/**
 * The scoreboard as a table: rank, country, team, score, and in detail a column per challenge under
 * its category. A row draws again only when its team, rank or points changed, and the cells of its
 * challenges only when its team solved.
 */
import { memo, type RefObject, useRef } from "react";
import { useMessages } from "../messages/language";
import styles from "./board-table.module.css";
import { Flag } from "./flag";
import { useGlide } from "./glide";
import { useRowOrder } from "./row-order";
import { useSolveCells } from "./solve-cells";
import { MarkPatterns } from "./solve-mark";
import { TeamLink } from "./team-link";

export interface BoardTeam {
  readonly teamName: string;
  readonly country: string;
  readonly solves: ReadonlyMap<string, { readonly position: number; readonly ts: number }>;
}
export interface BoardRow {
  readonly team: BoardTeam;
  readonly rank: number;
  readonly points: number;
}
/** A challenge's column without its value, so that a changed value does not redraw the rows. */
export interface BoardColumn {
  readonly id: string;
  readonly name: string;
  readonly speedrun: boolean;
  readonly opensGroup: boolean;
}
export interface BoardDetail {
  readonly groups: readonly { category: string; span: number }[];
  readonly columns: readonly BoardColumn[];
  /** The points value of each column by id; null draws the speedrun's dash. */
  readonly values: ReadonlyMap<string, number | null>;
}

interface BoardTableProps {
  caption: string;
  rows: readonly BoardRow[];
  /** The own row when it is not among `rows`; drawn below them. */
  ownRow: BoardRow | null;
  ownTeam: string | null;
  detail?: BoardDetail;
  /** A column's header was activated. */
  onColumn?: (id: string) => void;
}

const NO_COLUMNS: readonly BoardColumn[] = [];
const LEADING_COLUMNS = 4;

interface RowProps extends BoardRow {
  own: boolean;
  columns: readonly BoardColumn[];
  patterns: RefObject<HTMLElement | null>;
}

const Row = memo(function Row({ team, rank, points, own, columns, patterns }: RowProps) {
  const { yourTeam } = useMessages().board;
  const row = useSolveCells({ solves: team.solves, columns, patterns });
  return (
    <tr
      ref={row}
      data-place={rank}
      className={own ? styles.own : undefined}
      aria-current={own ? "true" : undefined}
    >
      <td className={styles.rank}>{rank}</td>
      <td className={styles.country}>
        <Flag code={team.country} />
      </td>
      <th scope="row" className={styles.team}>
        <TeamLink name={team.teamName} />
        {own && <span className="visually-hidden"> {yourTeam}</span>}
      </th>
      <td className={styles.score}>{points}</td>
    </tr>
  );
});

function CategoryRow({ groups }: { groups: BoardDetail["groups"] }) {
  return (
    <tr>
      <td colSpan={LEADING_COLUMNS} />
      {groups.map(({ category, span }) => (
        <CategoryCell key={category} category={category} span={span} />
      ))}
    </tr>
  );
}

/** A category's badge over the columns of its challenges. */
function CategoryCell({ category, span }: { category: string; span: number }) {
  return (
    <th scope="colgroup" colSpan={span} className={styles.category}>
      <span title={category}>{category}</span>
    </th>
  );
}

interface ValueHeadersProps extends Pick<BoardDetail, "columns" | "values"> {
  onColumn: ((id: string) => void) | undefined;
}

function ValueHeaders({ columns, values, onColumn }: ValueHeadersProps) {
  const { board, solvers } = useMessages();
  return columns.map((column) => {
    const value = values.get(column.id) ?? null;
    const label =
      value === null ? board.speedrunColumn(column.name) : board.valueColumn(column.name, value);
    return (
      <th
        key={column.id}
        scope="col"
        className={column.opensGroup ? styles.groupCell : styles.cell}
        title={column.name}
        aria-label={label}
      >
        <button
          type="button"
          className={styles.value}
          aria-label={solvers.of(column.name)}
          onClick={() => onColumn?.(column.id)}
        >
          {value ?? "–"}
        </button>
      </th>
    );
  });
}

export function BoardTable({ caption, rows, ownRow, ownTeam, detail, onColumn }: BoardTableProps) {
  const { board } = useMessages();
  const columns = detail?.columns ?? NO_COLUMNS;
  const body = useRef<HTMLTableSectionElement>(null);
  const patterns = useRef<HTMLDivElement>(null);
  const drawn = useRowOrder(body, rows);
  useGlide(body, rows);
  const row = (one: BoardRow) => (
    <Row
      key={one.team.teamName}
      {...one}
      own={one.team.teamName === ownTeam}
      columns={columns}
      patterns={patterns}
    />
  );
  return (
    // A region that scrolls must be reachable by keyboard.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: see above.
    <section className={styles.scroll} tabIndex={0} aria-label={caption}>
      {detail && <MarkPatterns ref={patterns} />}
      <table className={detail ? styles.detailed : styles.board}>
        <caption className="visually-hidden">{caption}</caption>
        <colgroup>
          <col className={styles.rankColumn} />
          <col className={styles.countryColumn} />
          <col className={styles.teamColumn} />
          <col className={styles.scoreColumn} />
          {columns.length > 0 && <col span={columns.length} className={styles.cellColumn} />}
        </colgroup>
        <thead>
          {detail && <CategoryRow groups={detail.groups} />}
          <tr>
            <th scope="col" className={styles.rank}>
              #
            </th>
            <th scope="col" className={styles.country}>
              <span className="visually-hidden">{board.country}</span>
            </th>
            <th scope="col" className={styles.team}>
              {board.team}
            </th>
            <th scope="col" className={styles.score}>
              {board.score}
            </th>
            {detail && (
              <ValueHeaders columns={columns} values={detail.values} onColumn={onColumn} />
            )}
          </tr>
        </thead>
        <tbody ref={body}>{drawn.map(row)}</tbody>
        {ownRow && <tbody className={styles.appended}>{row(ownRow)}</tbody>}
      </table>
    </section>
  );
}
