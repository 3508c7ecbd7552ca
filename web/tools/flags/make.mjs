/**
 * Makes the sprite of the countries' flags, `src/ui/flag/flags.svg`, from those of flag-icons. A
 * flag is drawn at a high resolution, reduced to its main colors, and traced again without details
 * that cannot be seen in a row of the scoreboard. All originals together are 1.7 MB.
 */
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync } from "node:zlib";
import sharp from "sharp";
import { mainColors, withoutSpecks } from "./picture.mjs";
import { pathOf } from "./trace.mjs";

const ICONS = join(import.meta.dirname, "node_modules/flag-icons");
const UI = join(import.meta.dirname, "../../src/ui/flag");
const COUNTRIES = join(import.meta.dirname, "../../../vectors/countries.json");

/** Size of the drawing in pixels, and pixels per unit of the sprite, whose flags are 48×36. */
const SIZE = { width: 384, height: 288 };
const SCALE = 8;
/** Maximum length of a flag's paths; details are removed until it is kept. */
const LENGTH_MAX = 400;
/** The same for flags that are seen often, and that are known by their details. */
const LENGTHS_MAX = new Map([
  ["au nz hr kr", 900],
  ["br es mx pt sg xk", 750],
  ["eu sa un", 1100],
]);
function lengthMaxOf(code) {
  const [, length = LENGTH_MAX] = [...LENGTHS_MAX].find(([codes]) => codes.includes(code)) ?? [];
  return length;
}

/** Fifty stars are too small for a trace: rows of dots stand for them. */
const STRIPES = "M0 4.2h48M0 9.7h48M0 15.2h48M0 20.8h48M0 26.3h48M0 31.8h48";
const STARS = "M1.8 2.7h24M4 6.2h20M1.8 9.7h24M4 13.2h20M1.8 16.7h24";
const AMERICAN = [
  '<path fill="#b34" d="M0 0h48v36H0z"/>',
  `<path stroke="#fff" stroke-width="2.8" d="${STRIPES}"/>`,
  '<path fill="#235" d="M0 0h27v19.4H0z"/>',
  `<path stroke="#fff" stroke-width="1.3" stroke-dasharray="1.3 3" d="${STARS}"/>`,
].join("");
const DRAWN = { um: AMERICAN, us: AMERICAN };

async function pixelsOf(code) {
  const source = readFileSync(join(ICONS, `flags/4x3/${code}.svg`), "utf8");
  // Smooth edges would add mixed colors.
  const sharpEdged = source.replace("<svg ", '<svg shape-rendering="crispEdges" ');
  const density = (72 * SIZE.width) / 640;
  const { data } = await sharp(Buffer.from(sharpEdged), { density })
    .resize(SIZE.width, SIZE.height, { fit: "fill", kernel: "nearest" })
    .flatten({ background: "#ffffff" })
    .raw()
    .toBuffer({ resolveWithObject: true });
  return data;
}

/** Paths of a flag, from the largest area to the smallest: each is painted on the ones before. */
function pathsOf(pixels, { colorsMax, speckArea, tolerance }) {
  const { colors, indexes } = mainColors(pixels, colorsMax);
  const clean = withoutSpecks(indexes, SIZE, speckArea * SCALE ** 2);
  return colors
    .map((color, index) => {
      // Later areas are included, so that no gap appears between neighbors.
      const inside = (at) => clean[at] >= index;
      const d = index === 0 ? "M0 0h48v36H0z" : pathOf(inside, SIZE, SCALE, tolerance);
      return { color, d };
    })
    .filter(({ d }) => d !== "");
}

function markup(paths) {
  return paths.map(({ color, d }) => `<path fill="${color}" d="${d}"/>`).join("");
}

function simplest(pixels, lengthMax) {
  let detail = { colorsMax: 6, speckArea: 0.5, tolerance: 0.2 };
  for (;;) {
    const flag = markup(pathsOf(pixels, detail));
    if (flag.length <= lengthMax || detail.speckArea > 60) return flag;
    const { colorsMax, speckArea, tolerance } = detail;
    detail = {
      colorsMax: speckArea > 8 ? Math.max(3, colorsMax - 1) : colorsMax,
      speckArea: speckArea * 1.35,
      tolerance: Math.min(0.8, tolerance * 1.12),
    };
  }
}

const countries = JSON.parse(readFileSync(COUNTRIES, "utf8"));
const symbols = [];
for (const code of countries.map((country) => country.code.toLowerCase()).sort()) {
  const flag = DRAWN[code] ?? simplest(await pixelsOf(code), lengthMaxOf(code));
  symbols.push(`<symbol id="${code}" viewBox="0 0 48 36">${flag}</symbol>`);
}
const sprite = `<svg xmlns="http://www.w3.org/2000/svg">\n${symbols.join("\n")}\n</svg>\n`;
writeFileSync(join(UI, "flags.svg"), sprite);
copyFileSync(join(ICONS, "LICENSE"), join(UI, "LICENSE-flag-icons"));
const sent = brotliCompressSync(Buffer.from(sprite)).length;
console.log(`flags.svg: ${symbols.length} flags, ${sprite.length} bytes, ${sent} on the wire`);
