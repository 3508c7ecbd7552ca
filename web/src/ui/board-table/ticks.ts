/**
 * The strip of ticks below a team's name on a phone: one tick per challenge, in the hue of its
 * category, taller for a first blood. Hidden from screen readers, which have the cells.
 */
import type { BoardColumn, BoardTeam } from "./board-rows";
import styles from "./board-table.module.css";

const PITCH = 4;
const HEIGHT = 14;
const TOPS = { unsolved: 11, solved: 4, firstBlood: 0 } as const;
const SVG = "http://www.w3.org/2000/svg";

type Layer = readonly BoardColumn[];

/** Path with a tick for each of the columns. */
function pathOf(columns: readonly BoardColumn[], chosen: Layer, top: number): string {
  const wanted = new Set(chosen);
  return columns
    .map((column, at) => (wanted.has(column) ? `M${at * PITCH + PITCH / 2} ${HEIGHT}V${top}` : ""))
    .join("");
}

/** The columns that a team has solved, by the color of their tick. */
function layersOf(columns: readonly BoardColumn[], solves: BoardTeam["solves"]) {
  const bloods: BoardColumn[] = [];
  const sealed: BoardColumn[] = [];
  const byHue = new Map<number, BoardColumn[]>(columns.map(({ hue }) => [hue, []]));
  for (const column of columns) {
    const solve = solves.get(column.id);
    if (!solve) continue;
    if (solve.later) sealed.push(column);
    else if (solve.position === 1 && !column.speedrun) bloods.push(column);
    else byHue.get(column.hue)?.push(column);
  }
  return { bloods, sealed, byHue };
}

/** The strip without solves, to be cloned for each row. */
export function tickPattern(columns: readonly BoardColumn[]): Element {
  const strip = document.createElementNS(SVG, "svg");
  strip.setAttribute("viewBox", `0 0 ${columns.length * PITCH} ${HEIGHT}`);
  strip.setAttribute("preserveAspectRatio", "none");
  strip.setAttribute("class", styles.ticks ?? "");
  strip.setAttribute("aria-hidden", "true");
  const { byHue } = layersOf(columns, new Map());
  const layers = [styles.unsolved, styles.firstBlood, styles.sealed, ...byHue.keys()];
  for (const layer of layers) {
    const path = document.createElementNS(SVG, "path");
    if (typeof layer === "number") path.style.setProperty("--hue", String(layer));
    else path.setAttribute("class", layer ?? "");
    strip.append(path);
  }
  strip.firstElementChild?.setAttribute("d", pathOf(columns, columns, TOPS.unsolved));
  return strip;
}

/** Draws a team's solves in a clone of `tickPattern`. */
export function drawTicks(
  strip: Element,
  columns: readonly BoardColumn[],
  solves: BoardTeam["solves"],
): void {
  const { bloods, sealed, byHue } = layersOf(columns, solves);
  const [, bloodPath, sealedPath, ...huePaths] = strip.children;
  bloodPath?.setAttribute("d", pathOf(columns, bloods, TOPS.firstBlood));
  sealedPath?.setAttribute("d", pathOf(columns, sealed, TOPS.solved));
  for (const [at, solved] of [...byHue.values()].entries()) {
    huePaths[at]?.setAttribute("d", pathOf(columns, solved, TOPS.solved));
  }
}
