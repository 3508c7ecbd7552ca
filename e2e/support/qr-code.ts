// Reads the text of a QR code of versions 1 to 3, without correcting errors.

import type { Locator } from "@playwright/test";

/** Width of the quiet zone, in modules. */
const EDGE = 4;
/** The row and the column that are dotted, and skipped. */
const TIMING = 6;

type Grid = readonly (readonly boolean[])[];

const MASKS: readonly ((x: number, y: number) => boolean)[] = [
  (x, y) => (x + y) % 2 === 0,
  (_, y) => y % 2 === 0,
  (x) => x % 3 === 0,
  (x, y) => (x + y) % 3 === 0,
  (x, y) => (Math.floor(y / 2) + Math.floor(x / 3)) % 2 === 0,
  (x, y) => ((x * y) % 2) + ((x * y) % 3) === 0,
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2 === 0,
  (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2 === 0,
];

/** The dark modules of a code that is drawn as one square a module. */
async function readGrid(code: Locator): Promise<Grid> {
  const size = Number((await code.getAttribute("viewBox"))?.split(" ")[2]) - 2 * EDGE;
  const squares = (await code.locator("path").last().getAttribute("d")) ?? "";
  const dark = new Set(
    [...squares.matchAll(/M(\d+) (\d+)h1v1h-1z/g)].map(([, x, y]) => `${x} ${y}`),
  );
  return Array.from({ length: size }, (_, y) =>
    Array.from({ length: size }, (_, x) => dark.has(`${x + EDGE} ${y + EDGE}`)),
  );
}

/** True for modules that are not data: finders, timing, format and the alignment pattern. */
function isFixed(x: number, y: number, size: number): boolean {
  const isFinder = (x < 9 && y < 9) || (x >= size - 8 && y < 9) || (x < 9 && y >= size - 8);
  const center = size - 7;
  const isAlignment = size > 21 && Math.abs(x - center) <= 2 && Math.abs(y - center) <= 2;
  return isFinder || isAlignment || x === TIMING || y === TIMING;
}

/** The data bits, in pairs of columns upward and downward from the right. */
function readBits(grid: Grid): boolean[] {
  const size = grid.length;
  const row = grid[8] ?? [];
  // Bits 12 to 10 of the format, which are masked with 101.
  const format = [row[2], row[3], row[4]].map((bit, at) => (bit ? 1 : 0) ^ (at === 1 ? 0 : 1));
  const mask = MASKS[Number.parseInt(format.join(""), 2)];
  const bits: boolean[] = [];
  let isUp = true;
  for (let right = size - 1; right > 0; right -= 2) {
    if (right === TIMING) right -= 1;
    for (let step = 0; step < size; step += 1) {
      const y = isUp ? size - 1 - step : step;
      for (const x of [right, right - 1]) {
        if (!isFixed(x, y, size)) bits.push((grid[y]?.[x] ?? false) !== mask?.(x, y));
      }
    }
    isUp = !isUp;
  }
  return bits;
}

/** The text of a code in byte mode. */
export async function readQrCode(code: Locator): Promise<string> {
  const bits = readBits(await readGrid(code));
  const number = (at: number, length: number) =>
    bits.slice(at, at + length).reduce((sum, bit) => 2 * sum + (bit ? 1 : 0), 0);
  if (number(0, 4) !== 4) throw new Error("the code is not in byte mode");
  const bytes = Array.from({ length: number(4, 8) }, (_, at) => number(12 + 8 * at, 8));
  return new TextDecoder().decode(new Uint8Array(bytes));
}
