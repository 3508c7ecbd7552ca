/**
 * Makes the faces of the site, `web/faces`: the letters and weights that it shows, of those that
 * Fontsource ships. Inter's own subset of extended letters alone would be 85 kB. The program draws
 * previews with the bold ones, outlines alone.
 */
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import subsetFont from "subset-font";

const MODULES = join(import.meta.dirname, "node_modules");
const FACES = join(import.meta.dirname, "../../faces");
const WEIGHTS = { variationAxes: { wght: { min: 400, max: 700 } } };

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
  [INTER, "inter-latin-wght-normal", "inter-latin", LATIN, WEIGHTS],
  [INTER, "inter-latin-ext-wght-normal", "inter-latin-ext", EXTENDED, WEIGHTS],
  [MONO, "jetbrains-mono-latin-400-normal", "jetbrains-mono-latin", LATIN, {}],
];

/** The characters of `text` in a face that Fontsource ships. */
function subset(source, file, text, options) {
  const whole = readFileSync(join(MODULES, source, "files", `${file}.woff2`));
  return subsetFont(whole, text, options);
}

/** A TrueType font without the tables that only a shaper, a hinter or a person reads. */
function outlines(font) {
  const kept = new Set(["cmap", "glyf", "head", "hhea", "hmtx", "loca", "maxp"]);
  const entries = Array.from({ length: font.readUInt16BE(4) }, (_, place) => {
    const at = 12 + 16 * place;
    return font.subarray(at, at + 16);
  }).filter((entry) => kept.has(entry.toString("latin1", 0, 4)));
  const head = Buffer.alloc(12 + 16 * entries.length);
  font.copy(head, 0, 0, 4);
  const power = 2 ** Math.floor(Math.log2(entries.length));
  const search = [entries.length, 16 * power, Math.log2(power), 16 * (entries.length - power)];
  for (const [place, number] of search.entries()) head.writeUInt16BE(number, 4 + 2 * place);
  const parts = [head];
  let end = head.length;
  for (const [place, entry] of entries.entries()) {
    const [from, length] = [entry.readUInt32BE(8), entry.readUInt32BE(12)];
    entry.copy(head, 12 + 16 * place);
    head.writeUInt32BE(end, 12 + 16 * place + 8);
    const padded = Buffer.alloc(4 * Math.ceil(length / 4));
    font.copy(padded, 0, from, from + length);
    parts.push(padded);
    end += padded.length;
  }
  return Buffer.concat(parts);
}

const BOLD = { variationAxes: { wght: 700 }, targetFormat: "truetype" };
for (const [source, file, name, text, options] of made) {
  const face = await subset(source, file, text, { targetFormat: "woff2", ...options });
  writeFileSync(join(FACES, `${name}.woff2`), face);
  console.log(`${name}.woff2: ${face.length} bytes`);
  if (source !== INTER) continue;
  const bold = outlines(await subset(source, file, text, BOLD));
  const drawn = name.replace("inter", "preview");
  writeFileSync(join(FACES, `${drawn}.ttf`), bold);
  console.log(`${drawn}.ttf: ${bold.length} bytes`);
}
copyFileSync(join(MODULES, INTER, "LICENSE"), join(FACES, "LICENSE-inter"));
copyFileSync(join(MODULES, MONO, "LICENSE"), join(FACES, "LICENSE-jetbrains-mono"));
