/**
 * The rows of the scoreboard. They are nine tenths of the page's elements and have no behavior, so
 * they are clones of one template instead of React elements, and an update touches only changed
 * cells (docs/performance.md).
 */
import { teamAddress } from "../../addresses";
import type { Messages } from "../../messages/en";
import { drawFlag } from "../flag/flag";
import { drawPennant } from "../pennant/pennant";
import { cloneMark } from "../solve-mark/solve-mark";
import { drawSparkline } from "../sparkline/sparkline";
import linkStyles from "../team-link/team-link.module.css";
import { arrange } from "./arrange";
import styles from "./board-table.module.css";
import { drawTicks, tickPattern } from "./ticks";

interface BoardSolve {
  readonly position: number;
  readonly ts: number;
  /** True for the viewer's own solve during the freeze. */
  readonly later?: true;
}
export interface BoardTeam {
  readonly teamName: string;
  readonly country: string;
  readonly solves: ReadonlyMap<string, BoardSolve>;
}
/** A team's recent past. */
export interface BoardTrend {
  /** Ranks gained in the last minutes; negative if lost. */
  readonly moved: number;
  /** Scores at equal distances since the start; empty until they are computed. */
  readonly scores: readonly number[];
}
export interface BoardRow {
  readonly team: BoardTeam;
  readonly rank: number;
  readonly points: number;
  readonly trend?: BoardTrend | undefined;
}
/** A challenge's column without its points, so that changed points do not rebuild the rows. */
export interface BoardColumn {
  readonly id: string;
  readonly name: string;
  readonly category: string;
  /** Hue of the category in degrees. */
  readonly hue: number;
  readonly speedrun: boolean;
  readonly opensGroup: boolean;
}

/** A table cell with an explicit role. Its row is a box, which removes the implicit role. */
function cell(tag: "td" | "th", role: string, className = ""): HTMLElement {
  const element = document.createElement(tag);
  element.setAttribute("role", role);
  element.className = className;
  return element;
}

/** The template of a row, without a team. */
function rowPattern({ columns, form }: BoardLook): HTMLElement {
  const row = document.createElement("tr");
  row.setAttribute("role", "row");
  row.className = styles.row ?? "";
  const team = cell("th", "rowheader", styles.team);
  team.setAttribute("scope", "row");
  const name = document.createElement("div");
  name.className = styles.name ?? "";
  const link = document.createElement("a");
  link.className = linkStyles.link ?? "";
  link.append(document.createElement("bdi"));
  name.append(link);
  if (form === "ticks") name.append(tickPattern(columns));
  team.append(name);
  const score = cell("td", "cell", styles.score);
  score.dataset.score = "";
  row.append(
    cell("td", "cell", styles.rank),
    cell("td", "cell", styles.country),
    team,
    score,
    ...(form === "plain" ? [] : [cell("td", "cell", styles.trend)]),
    ...columns.map(({ opensGroup }) =>
      cell("td", "cell", opensGroup ? styles.groupCell : styles.cell),
    ),
  );
  return row;
}

const NO_SOLVES: BoardTeam["solves"] = new Map();
/** Rank, country, team, score and trend come before the challenges. */
export const LEADING_COLUMNS = 5;

/** Removes the glow of a new solve after this time, which is that of the style sheet. */
const GLOW_MS = 8000;
/** Number of new solves above which none glows: they come from a new snapshot. */
const GLOWS_MAX = 12;

/** The cell of a solve that was added to a row. */
interface AddedSolve {
  readonly cell: HTMLElement;
  readonly hue: number;
}

/** Lets the cells of new solves glow in the hue of their category, and their rows on a phone. */
function glow(added: readonly AddedSolve[]): void {
  if (added.length === 0 || added.length > GLOWS_MAX) return;
  const glowing = added.flatMap(({ cell, hue }) =>
    [cell, cell.parentElement].flatMap((element) => (element ? [{ element, hue }] : [])),
  );
  for (const { element, hue } of glowing) {
    element.style.setProperty("--hue", String(hue));
    element.toggleAttribute("data-new", true);
  }
  setTimeout(() => {
    for (const { element } of glowing) element.removeAttribute("data-new");
  }, GLOW_MS);
}

/** The cell of the trend: ranks gained or lost, and a sparkline where there is room. */
class DrawnTrend {
  readonly #moved = document.createElement("span");
  readonly #line: ReturnType<typeof drawSparkline> | null;
  #shown: Partial<BoardTrend> = {};

  constructor(cell: Element, form: BoardForm) {
    this.#line = form === "sparklines" ? drawSparkline() : null;
    cell.append(this.#moved, ...(this.#line ? [this.#line.element] : []));
  }

  show({ moved, scores }: BoardTrend, { board }: Messages): void {
    if (moved !== this.#shown.moved) this.#showMoved(moved, board);
    if (scores !== this.#shown.scores) this.#line?.draw(scores);
    this.#shown = { moved, scores };
  }

  #showMoved(moved: number, board: Messages["board"]): void {
    const ranks = Math.abs(moved);
    this.#moved.className = (moved > 0 ? styles.up : styles.down) ?? "";
    this.#moved.replaceChildren();
    if (moved === 0) return;
    const sign = document.createElement("span");
    sign.setAttribute("aria-hidden", "true");
    sign.textContent = `${moved > 0 ? "▲" : "▼"}${ranks}`;
    const words = document.createElement("span");
    words.className = "visually-hidden";
    words.textContent = moved > 0 ? board.up(ranks) : board.down(ranks);
    this.#moved.append(sign, words);
  }
}

/** One team's row: its element and its current values. */
class DrawnRow {
  readonly element: HTMLElement;
  readonly #cells: readonly HTMLElement[];
  readonly #ticks: Element | null;
  readonly #trend: DrawnTrend | null;
  #country = "";
  #rank = "";
  #points: number | null = null;
  #solves = NO_SOLVES;
  #note: HTMLElement | null = null;

  constructor(element: HTMLElement, teamName: string, form: BoardForm) {
    this.element = element;
    // All children are cells.
    this.#cells = [...element.children] as HTMLElement[];
    const [, , nameCell, , trendCell] = this.#cells;
    const link = nameCell?.querySelector("a");
    this.#ticks = nameCell?.querySelector("svg") ?? null;
    this.#trend = form !== "plain" && trendCell ? new DrawnTrend(trendCell, form) : null;
    if (form !== "plain") link?.before(drawPennant(teamName, "small"));
    link?.setAttribute("href", teamAddress(teamName));
    link?.setAttribute("title", teamName);
    link?.firstElementChild?.append(teamName);
  }

  /** Marks the row as the viewer's own. */
  own({ board }: Messages): void {
    this.element.className += ` ${styles.own}`;
    this.element.setAttribute("aria-current", "true");
    this.#note = document.createElement("span");
    this.#note.className = "visually-hidden";
    this.#note.textContent = ` ${board.yourTeam}`;
    this.#cells[2]?.querySelector("a")?.after(this.#note);
  }

  /**
   * Shows the rank, with a mark if it ignores hidden solves of others. A note on the page explains
   * the mark.
   */
  #showRank(rank: string, isLater: boolean, { board }: Messages): void {
    const cell = this.#cells[0];
    if (cell) cell.textContent = rank;
    if (this.#note) this.#note.textContent = ` ${isLater ? board.yourTeamLater : board.yourTeam}`;
    this.#rank = rank;
  }

  /** Shows a row, and returns the cells of solves that were added. */
  show(row: BoardRow, look: BoardLook, hasLaterSolve: boolean): AddedSolve[] {
    const { team, rank, points, trend } = row;
    const [, countryCell, , scoreCell] = this.#cells;
    if (team.country !== this.#country) {
      countryCell?.replaceChildren(drawFlag(team.country, look.messages.locale));
    }
    const isLater = this.#note !== null && hasLaterSolve;
    const shownRank = isLater ? `${rank}*` : String(rank);
    if (shownRank !== this.#rank) this.#showRank(shownRank, isLater, look.messages);
    if (points !== this.#points && scoreCell) scoreCell.textContent = String(points);
    if (trend) this.#trend?.show(trend, look.messages);
    this.#country = team.country;
    this.#points = points;
    return team.solves === this.#solves ? [] : this.#mark(team.solves, look);
  }

  /** Draws changed marks, and returns the cells of added ones. */
  #mark(solves: BoardTeam["solves"], { columns, marks, messages }: BoardLook): AddedSolve[] {
    const added: AddedSolve[] = [];
    for (let index = 0; index < columns.length; index += 1) {
      const column = columns[index];
      const solve = column && solves.get(column.id);
      if (!column || solve === this.#solves.get(column.id)) continue;
      const cell = this.#cells[LEADING_COLUMNS + index];
      const mark = solve && cloneMark(marks, messages, column, solve);
      if (mark) cell?.replaceChildren(mark);
      else cell?.replaceChildren();
      if (mark && cell && !this.#solves.has(column.id)) added.push({ cell, hue: column.hue });
    }
    if (this.#ticks) drawTicks(this.#ticks, columns, solves);
    this.#solves = solves;
    return added;
  }
}

/**
 * The extent of a row: rank to score, or also the trend and the challenges. On a phone, a detailed
 * row has a strip of ticks; on a wide screen, a sparkline.
 */
type BoardForm = "plain" | "detailed" | "ticks" | "sparklines";

/** Data shared by all rows of a scoreboard. */
export interface BoardLook {
  readonly form: BoardForm;
  readonly columns: readonly BoardColumn[];
  /** The marks to clone into the cells. */
  readonly marks: readonly Element[];
  readonly messages: Messages;
  /** The viewer's team. */
  readonly ownTeam: string | null;
}

/**
 * Number of rows updated at once. One solve can change the points of every row; further rows are
 * updated one frame later, so that neither frame is long.
 */
const ROWS_AT_ONCE = 25;
/** Delay that is longer than one frame at 60 Hz. */
const FRAME_MS = 20;

/** Keeps the children of `body` equal to the latest rows. */
export class BoardRows {
  readonly look: BoardLook;
  readonly #body: Element;
  readonly #pattern: HTMLElement;
  #drawn = new Map<string, DrawnRow>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(body: Element, look: BoardLook) {
    this.look = look;
    this.#body = body;
    this.#pattern = rowPattern(look);
  }

  /** Marks the rank of the viewer's row if it has solves that others do not see. */
  show(rows: readonly BoardRow[], hasLaterSolve: boolean): void {
    const focused = this.#focusedAddress();
    const before = this.#drawn;
    const later: (() => AddedSolve[])[] = [];
    const added: AddedSolve[] = [];
    this.#drawn = new Map(
      rows.map((row, place) => {
        const { teamName } = row.team;
        const known = before.get(teamName);
        const drawn = known ?? this.#draw(row.team);
        const show = () => drawn.show(row, this.look, hasLaterSolve);
        if (known && place >= ROWS_AT_ONCE) later.push(show);
        else if (known) added.push(...show());
        else show();
        return [teamName, drawn];
      }),
    );
    glow(added);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      glow(later.flatMap((show) => show()));
    }, FRAME_MS);
    arrange(
      this.#body,
      [...this.#drawn.values()].map(({ element }) => element),
    );
    if (focused !== null && this.#focusedAddress() === null) {
      const links = [...this.#body.querySelectorAll("a")];
      const link = links.find((one) => one.getAttribute("href") === focused);
      link?.focus({ preventScroll: true });
    }
  }

  /** The address of the focused link. A row that moves or is rebuilt loses the focus. */
  #focusedAddress(): string | null {
    const { activeElement } = document;
    return this.#body.contains(activeElement)
      ? (activeElement?.getAttribute("href") ?? null)
      : null;
  }

  #draw(team: BoardTeam): DrawnRow {
    const { messages, ownTeam } = this.look;
    // A deep clone has the type of its original.
    const element = this.#pattern.cloneNode(true) as HTMLElement;
    const drawn = new DrawnRow(element, team.teamName, this.look.form);
    if (team.teamName === ownTeam) drawn.own(messages);
    return drawn;
  }
}
