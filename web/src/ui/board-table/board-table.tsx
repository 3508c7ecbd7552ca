/**
 * The scoreboard as a table: rank, country, team, score, and in the detailed view the trend and a
 * column per challenge under its category. React renders the head; `board-rows.ts` renders the
 * rows.
 *
 * Each row is a box with its own layout, which removes the table's implicit roles: all roles are
 * explicit.
 */
import {
  type CSSProperties,
  type RefObject,
  Suspense,
  useCallback,
  useEffect,
  useLayoutEffect,
  useRef,
} from "react";
import { useMessages } from "../../messages/language";
import { chunkPart } from "../chunk-part/chunk-part";
import { useGlide } from "../glide/glide";
import { useMedia } from "../motion/motion";
import { MarkPatterns } from "../solve-mark/solve-mark";
import { BoardHead } from "./board-head";
import {
  type BoardColumn,
  type BoardLook,
  type BoardRow,
  BoardRows,
  type BoardTrend,
} from "./board-rows";
import styles from "./board-table.module.css";
import { ColumnTip, useColumnTip } from "./column-tip";
import type { OwnBarProps } from "./own-bar";

export type { BoardTrend };

export interface BoardDetail {
  readonly groups: readonly { category: string; span: number; hue: number }[];
  readonly columns: readonly BoardColumn[];
  /** Points of each column by challenge ID; null shows a dash, for a speedrun. */
  readonly values: ReadonlyMap<string, number | null>;
  /** Number of solves of each column that everyone can see, by challenge ID. */
  readonly solves: ReadonlyMap<string, number>;
}

interface BoardTableProps {
  caption: string;
  rows: readonly BoardRow[];
  /** The viewer's row if it is not among `rows`; shown below them. */
  ownRow: BoardRow | null;
  ownTeam: string | null;
  /** True if the viewer's team has solves that the freeze hides from others. */
  hasLaterSolve?: boolean;
  detail?: BoardDetail;
  /** True for higher rows, while there are few. */
  isRoomy?: boolean;
  /** Called when a column header is activated. */
  onColumn?: (id: string) => void;
}

/** Not shown, without an error, if its chunk does not load: the table has the same row. */
const OwnBar = chunkPart<OwnBarProps>(
  "own-row",
  () => import("./own-bar"),
  () => null,
);
const NO_COLUMNS: readonly BoardColumn[] = [];
/** Largest number of columns whose names are written above them. */
const NAMED_COLUMNS_MAX = 30;

/** The direction of most names above the columns; undefined if there is no room for names. */
function namesDirection(columns: readonly BoardColumn[]): "ltr" | "rtl" | undefined {
  if (columns.length === 0 || columns.length > NAMED_COLUMNS_MAX) return undefined;
  const rightToLeft = columns.filter(({ name }) => /[\u0590-\u08ff\ufb1d-\ufefc]/.test(name));
  return rightToLeft.length * 2 > columns.length ? "rtl" : "ltr";
}

/** Custom properties for the style sheet: number of columns, letters of the longest name. */
function columnCount(columns: readonly BoardColumn[]): CSSProperties {
  const letters = Math.max(...columns.map(({ name }) => name.length), 0);
  return { "--columns": columns.length, "--letters": letters } as CSSProperties;
}

/** Widths at which rows have ticks or sparklines, as in the style sheet. */
function useForm(isDetailed: boolean, isNamed: boolean): Pick<BoardLook, "form"> {
  const isNarrow = useMedia("(max-width: 44rem)");
  const isWide = useMedia(isNamed ? "(min-width: 80rem)" : "(min-width: 90rem)");
  if (!isDetailed) return { form: "plain" };
  if (isNarrow) return { form: "ticks" };
  return { form: isWide ? "sparklines" : "detailed" };
}

interface BodyProps extends Pick<BoardLook, "columns" | "ownTeam" | "form"> {
  rows: readonly BoardRow[];
  hasLaterSolve: boolean;
  marks: RefObject<Element | null>;
  className?: string | undefined;
}

function Body({ rows, hasLaterSolve, marks, className = "", ...look }: BodyProps) {
  const { columns, ownTeam, form } = look;
  const messages = useMessages();
  const body = useRef<HTMLTableSectionElement>(null);
  const drawn = useRef<BoardRows>(null);
  useLayoutEffect(() => {
    if (!body.current) return;
    const last = drawn.current?.look;
    const isSame = last?.columns === columns && last.messages === messages;
    if (!isSame || last.ownTeam !== ownTeam || last.form !== form) {
      const patterns = [...(marks.current?.children ?? [])];
      const next = { columns, marks: patterns, messages, ownTeam, form };
      drawn.current = new BoardRows(body.current, next);
    }
    drawn.current?.show(rows, hasLaterSolve);
  }, [rows, columns, ownTeam, form, hasLaterSolve, marks, messages]);
  useGlide(body, rows);
  return <tbody role="rowgroup" ref={body} className={`${styles.rows} ${className}`} />;
}

/**
 * Marks the frame while columns continue beyond its end, and while it is swiped aside. An observer
 * does not force a layout.
 */
function useSwipeMarks(frame: RefObject<HTMLElement | null>, detail: BoardDetail | undefined) {
  const last = detail?.columns.at(-1)?.id;
  useEffect(() => {
    const box = frame.current;
    if (!box || last === undefined || !("IntersectionObserver" in window)) return;
    const observer = new IntersectionObserver(
      (entries) => {
        for (const { target, intersectionRatio } of entries) {
          const isStart = target.hasAttribute("data-edge");
          box.toggleAttribute(isStart ? "data-swiped" : "data-more", intersectionRatio < 0.9);
        }
      },
      { root: box.querySelector("section"), threshold: [0.9] },
    );
    const headers = [...box.querySelectorAll("[data-edge], [data-column]")];
    for (const header of [headers[0], headers.at(-1)]) if (header) observer.observe(header);
    return () => observer.disconnect();
  }, [frame, last]);
}

export function BoardTable(props: BoardTableProps) {
  const { caption, rows, ownRow, ownTeam, hasLaterSolve = false, detail, onColumn } = props;
  const { board } = useMessages();
  const columns = detail?.columns ?? NO_COLUMNS;
  const direction = namesDirection(columns);
  const isNamed = direction !== undefined;
  const frame = useRef<HTMLDivElement>(null);
  const marks = useRef<HTMLDivElement>(null);
  const tip = useColumnTip();
  const shownTip = useRef(tip);
  shownTip.current = tip;
  const body = {
    columns,
    ownTeam,
    hasLaterSolve,
    marks,
    ...useForm(detail !== undefined, isNamed),
  };
  useSwipeMarks(frame, detail);
  const look = {
    className: detail ? styles.detailed : styles.board,
    style: columnCount(columns),
    "data-roomy": props.isRoomy ? "" : undefined,
    "data-named": direction,
  };
  const onActivate = useCallback(
    (id: string, tapped: Element | null) => {
      if (tapped) shownTip.current.tap(id, tapped);
      else onColumn?.(id);
    },
    [onColumn],
  );
  return (
    <>
      {body.form === "ticks" && (
        <p className={styles.tickKey} aria-hidden="true">
          {board.ticks}
        </p>
      )}
      <div ref={frame} className={styles.frame}>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it must be reachable by keyboard. */}
        <section className={styles.scroll} tabIndex={0} aria-label={caption}>
          {detail && <MarkPatterns ref={marks} />}
          <table role="table" {...look}>
            <caption className="visually-hidden">{caption}</caption>
            <BoardHead detail={detail} isNamed={isNamed} tip={tip} onActivate={onActivate} />
            <Body rows={rows} {...body} />
            {ownRow && <Body rows={[ownRow]} className={styles.appended} {...body} />}
          </table>
        </section>
        {detail && ownTeam !== null && (
          <Suspense fallback={null}>
            <OwnBar frame={frame} look={look} />
          </Suspense>
        )}
        {detail && <ColumnTip tip={tip} detail={detail} onColumn={onColumn} />}
      </div>
    </>
  );
}
