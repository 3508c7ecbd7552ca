/**
 * The rows of the board. They are nine tenths of the page's elements and have no behaviour, so they
 * are clones of one template instead of React elements, and an update touches only what changed
 * (docs/performance.md).
 */
import { teamAddress } from "../../addresses";
import type { Messages } from "../../messages/en";
import { drawFlag } from "../flag/flag";
import { cloneMark } from "../solve-mark/solve-mark";
import linkStyles from "../team-link/team-link.module.css";
import { arrange } from "./arrange";
import styles from "./board-table.module.css";

interface BoardSolve {
  readonly position: number;
  readonly ts: number;
  /** The viewer's own solve of the freeze. */
  readonly later?: true;
}
export interface BoardTeam {
  readonly teamName: string;
  readonly country: string;
  readonly solves: ReadonlyMap<string, BoardSolve>;
}
export interface BoardRow {
  readonly team: BoardTeam;
  readonly rank: number;
  readonly points: number;
}
/** A challenge's column without its value, so that a changed value does not rebuild the rows. */
export interface BoardColumn {
  readonly id: string;
  readonly name: string;
  readonly speedrun: boolean;
  readonly opensGroup: boolean;
}

/** A table cell with an explicit role: its row is a box, which removes the implicit one. */
function cell(tag: "td" | "th", role: string, className = ""): HTMLElement {
  const element = document.createElement(tag);
  element.setAttribute("role", role);
  element.className = className;
  return element;
}

/** The template of a row, without a team. */
function rowPattern(columns: readonly BoardColumn[]): HTMLElement {
  const row = document.createElement("tr");
  row.setAttribute("role", "row");
  row.className = styles.row ?? "";
  const team = cell("th", "rowheader", styles.team);
  team.setAttribute("scope", "row");
  const link = document.createElement("a");
  link.className = linkStyles.link ?? "";
  link.append(document.createElement("bdi"));
  team.append(link);
  row.append(
    cell("td", "cell", styles.rank),
    cell("td", "cell", styles.country),
    team,
    cell("td", "cell", styles.score),
    ...columns.map(({ opensGroup }) =>
      cell("td", "cell", opensGroup ? styles.groupCell : styles.cell),
    ),
  );
  return row;
}

const NO_SOLVES: BoardTeam["solves"] = new Map();
/** Rank, country, team and score come before the challenges. */
export const LEADING_COLUMNS = 4;

/** One team's row: its element and its current values. */
class DrawnRow {
  readonly element: HTMLElement;
  readonly #cells: readonly Element[];
  #country = "";
  #rank = "";
  #points: number | null = null;
  #solves = NO_SOLVES;
  #note: HTMLElement | null = null;

  constructor(element: HTMLElement, teamName: string) {
    this.element = element;
    this.#cells = [...element.children];
    const link = this.#cells[2]?.querySelector("a");
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
    this.#cells[2]?.append(this.#note);
  }

  /** The rank, marked where it ignores others' hidden solves; a note of the page explains it. */
  #showRank(rank: string, isLater: boolean, { board }: Messages): void {
    const cell = this.#cells[0];
    if (cell) cell.textContent = rank;
    if (this.#note) this.#note.textContent = ` ${isLater ? board.yourTeamLater : board.yourTeam}`;
    this.#rank = rank;
  }

  show({ team, rank, points }: BoardRow, look: BoardLook, hasLaterSolve: boolean): void {
    const [, countryCell, , scoreCell] = this.#cells;
    if (team.country !== this.#country) {
      countryCell?.replaceChildren(drawFlag(team.country, look.messages.locale));
    }
    const isLater = this.#note !== null && hasLaterSolve;
    const shownRank = isLater ? `${rank}*` : String(rank);
    if (shownRank !== this.#rank) this.#showRank(shownRank, isLater, look.messages);
    if (points !== this.#points && scoreCell) scoreCell.textContent = String(points);
    if (team.solves !== this.#solves) this.#mark(team.solves, look);
    this.#country = team.country;
    this.#points = points;
  }

  #mark(solves: BoardTeam["solves"], { columns, marks, messages }: BoardLook): void {
    for (let index = 0; index < columns.length; index += 1) {
      const column = columns[index];
      const solve = column && solves.get(column.id);
      if (!column || solve === this.#solves.get(column.id)) continue;
      const cell = this.#cells[LEADING_COLUMNS + index];
      const mark = solve && cloneMark(marks, messages, column, solve);
      if (mark) cell?.replaceChildren(mark);
      else cell?.replaceChildren();
    }
    this.#solves = solves;
  }
}

/** What all rows of a board share. */
export interface BoardLook {
  readonly columns: readonly BoardColumn[];
  /** The marks that are cloned into the cells. */
  readonly marks: readonly Element[];
  readonly messages: Messages;
  /** The viewer's team. */
  readonly ownTeam: string | null;
}

/**
 * One solve can change the points of every row. Rows after this many are updated one frame later,
 * so that neither frame is long.
 */
const ROWS_AT_ONCE = 25;
/** Longer than one frame at 60 Hz. */
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
    this.#pattern = rowPattern(look.columns);
  }

  /** Marks the rank of the viewer's row if it has solves that others do not see. */
  show(rows: readonly BoardRow[], hasLaterSolve: boolean): void {
    const focused = this.#focusedAddress();
    const before = this.#drawn;
    const later: (() => void)[] = [];
    this.#drawn = new Map(
      rows.map((row, place) => {
        const { teamName } = row.team;
        const known = before.get(teamName);
        const drawn = known ?? this.#draw(row.team);
        const show = () => drawn.show(row, this.look, hasLaterSolve);
        if (known && place >= ROWS_AT_ONCE) later.push(show);
        else show();
        return [teamName, drawn];
      }),
    );
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      for (const show of later) show();
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

  /** The address of the focused link; a row that moves or is rebuilt loses the focus. */
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
    const drawn = new DrawnRow(element, team.teamName);
    if (team.teamName === ownTeam) drawn.own(messages);
    return drawn;
  }
}
