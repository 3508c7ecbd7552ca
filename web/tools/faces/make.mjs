/**
 * Makes the faces of the site, `web/faces`: the letters and weights that it shows, of those that
 * Fontsource ships. Inter's own subset of extended letters alone would be 85 kB.
 */
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import subsetFont from "subset-font";

const MODULES = join(import.meta.dirname, "node_modules");
const FACES = join(import.meta.dirname, "../../faces");
/** Weights of the text, and its features: kerning, accents, and figures of the same width. */
const TEXT = {
  variationAxes: { wght: { min: 400, max: 700 } },
  keepFeatures: ["kern", "tnum", "ccmp", "locl", "mark", "mkmk"],
};
/** Flags and code are shown without ligatures, which are most of the face. */
const CODE = { keepFeatures: [] };

/** The characters of ranges; the `unicode-range` of `src/ui/fonts.css` names the same ones. */
function letters(...ranges) {
  const codes = ranges.flatMap(([first, last = first]) =>
    Array.from({ length: last - first + 1 }, (_, place) => first + place),
  );
  return String.fromCodePoint(...codes);
}

const LATIN = letters(
  [0x20, 0x7e],
  [0xa0, 0xff],
  [0x131],
  [0x152, 0x153],
  [0x2010, 0x205e],
  [0x20ac],
  [0x2212],
);
/** Characters of points, ranks and clocks, which the scoreboard shows without code. */
const FIGURES = letters([0x20], [0x23], [0x2b, 0x3a], [0x2013], [0x2212]);
const REST = [...LATIN].filter((letter) => !FIGURES.includes(letter)).join("");
const EXTENDED = letters(
  [0x100, 0x130],
  [0x132, 0x151],
  [0x154, 0x17f],
  [0x218, 0x21b],
  [0x1e80, 0x1e85],
  [0x1e9e],
);

const INTER = "@fontsource-variable/inter";
const MONO = "@fontsource/jetbrains-mono";
const made = [
  [INTER, "inter-latin-wght-normal", "inter-latin", LATIN, TEXT],
  [INTER, "inter-latin-ext-wght-normal", "inter-latin-ext", EXTENDED, TEXT],
  [MONO, "jetbrains-mono-latin-400-normal", "jetbrains-mono-figures", FIGURES, CODE],
  [MONO, "jetbrains-mono-latin-400-normal", "jetbrains-mono-latin", REST, CODE],
];

for (const [source, file, name, text, options] of made) {
  const whole = readFileSync(join(MODULES, source, "files", `${file}.woff2`));
  const face = await subsetFont(whole, text, { targetFormat: "woff2", ...options });
  writeFileSync(join(FACES, `${name}.woff2`), face);
  console.log(`${name}.woff2: ${face.length} bytes`);
}
copyFileSync(join(MODULES, INTER, "LICENSE"), join(FACES, "LICENSE-inter"));
copyFileSync(join(MODULES, MONO, "LICENSE"), join(FACES, "LICENSE-jetbrains-mono"));
