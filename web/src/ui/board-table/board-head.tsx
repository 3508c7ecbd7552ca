/** The head of the scoreboard: categories above the columns of their challenges. */
import { type CSSProperties, memo, type PointerEvent, useRef } from "react";
import { useMessages } from "../../messages/language";
import { CategorySign } from "../category-sign/category-sign";
import { FirstBloodIcon, SolvedIcon } from "../icons/icons";
import { type BoardColumn, LEADING_COLUMNS } from "./board-rows";
import type { BoardDetail } from "./board-table";
import styles from "./board-table.module.css";
import type { ColumnTipState } from "./column-tip";

function variables(values: Record<string, number>): CSSProperties {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [`--${name}`, value]));
}

/** The marks and their names. In the table, each mark has its own label. */
function Legend() {
  const { board } = useMessages();
  return (
    <div className={styles.legend} aria-hidden="true">
      <span className={styles.bloodSign}>
        <FirstBloodIcon /> {board.firstBlood}
      </span>
      <span>
        <SolvedIcon /> {board.solved}
      </span>
    </div>
  );
}

/** Categories above their challenges' columns; above a single column only an initial fits. */
function CategoryRow({ groups }: { groups: BoardDetail["groups"] }) {
  return (
    <tr role="row" className={`${styles.head} ${styles.categories}`}>
      <td
        role="cell"
        colSpan={LEADING_COLUMNS}
        aria-colspan={LEADING_COLUMNS}
        className={styles.beforeCategories}
      >
        <Legend />
      </td>
      {groups.map(({ category, span, hue }) => (
        <th
          key={category}
          role="columnheader"
          scope="colgroup"
          colSpan={span}
          aria-colspan={span}
          className={styles.category}
          title={category}
          style={variables({ columns: span, hue })}
        >
          {span > 1 && <CategorySign category={category} />}
          {category}
        </th>
      ))}
    </tr>
  );
}

interface ValueHeaderProps {
  column: BoardColumn;
  /** Number of columns after this one, over which its name can rise. */
  after: number;
  value: number | null;
  isNamed: boolean;
  /** Called when the header is activated; with its element if it was tapped. */
  onActivate: (id: string, tapped: Element | null) => void;
}

const ValueHeader = memo(function ValueHeader(props: ValueHeaderProps) {
  const { column, after, value, isNamed, onActivate } = props;
  const { board, solvers } = useMessages();
  const isTap = useRef(false);
  const { id, name, hue, opensGroup } = column;
  const [label, button] =
    value === null
      ? [board.speedrunColumn(name), solvers.ofSpeedrun(name)]
      : [board.valueColumn(name, value), solvers.ofValue(name, value)];
  return (
    <th
      role="columnheader"
      scope="col"
      className={opensGroup ? styles.groupCell : styles.cell}
      style={variables({ hue, after })}
      aria-label={label}
      data-column={id}
    >
      <button
        type="button"
        className={styles.value}
        aria-label={button}
        data-name={isNamed ? name : undefined}
        onPointerDown={({ pointerType }: PointerEvent) => {
          isTap.current = pointerType === "touch";
        }}
        onClick={({ currentTarget }) => {
          onActivate(id, isTap.current ? currentTarget : null);
          isTap.current = false;
        }}
      >
        {value ?? "–"}
      </button>
    </th>
  );
});

/** Rank, country, team, score, and in the detailed view the trend. */
function LeadingHeaders({ hasTrend }: { hasTrend: boolean }) {
  const { board } = useMessages();
  return (
    <>
      <th role="columnheader" scope="col" className={styles.rank}>
        #
      </th>
      <th role="columnheader" scope="col" className={styles.country} data-edge="start">
        <span className="visually-hidden">{board.country}</span>
      </th>
      <th role="columnheader" scope="col" className={styles.team}>
        <span className={styles.name}>{board.team}</span>
      </th>
      <th role="columnheader" scope="col" className={styles.score}>
        {board.score}
      </th>
      {hasTrend && (
        <th role="columnheader" scope="col" className={styles.trend} title={board.trendHint}>
          {board.trend}
          <span className="visually-hidden"> ({board.trendHint})</span>
        </th>
      )}
    </>
  );
}

interface BoardHeadProps {
  detail: BoardDetail | undefined;
  /** True if the names of the columns are written above them, where there is room. */
  isNamed: boolean;
  tip: ColumnTipState;
  onActivate: (id: string, tapped: Element | null) => void;
}

export function BoardHead({ detail, isNamed, tip, onActivate }: BoardHeadProps) {
  return (
    <thead role="rowgroup" className={styles.rows}>
      {detail && <CategoryRow groups={detail.groups} />}
      <tr role="row" className={styles.head} {...tip.handlers}>
        <LeadingHeaders hasTrend={detail !== undefined} />
        {detail?.columns.map((column, index, all) => (
          <ValueHeader
            key={column.id}
            column={column}
            after={all.length - index - 1}
            value={detail.values.get(column.id) ?? null}
            isNamed={isNamed}
            onActivate={onActivate}
          />
        ))}
      </tr>
    </thead>
  );
}
