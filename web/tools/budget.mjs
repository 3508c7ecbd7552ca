/**
 * Budget for the first load of the home page: the files that index.html references and the home
 * page's chunk, compressed with Brotli, plus the fonts. Fails if the budget is exceeded, a script
 * lacks the hint to compile early, or players load organizer code or texts.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync } from "node:zlib";
import { collect, DIST, firstFiles, firstFonts, PAGES } from "./manifest.mjs";

const BYTES_MAX = { js: 110_000, css: 25_000, woff2: 60_000 };

/** Number of bytes sent; a font is already compressed. */
function sentBytes(file) {
  const bytes = readFileSync(join(DIST, file));
  return file.endsWith(".woff2") ? bytes.length : brotliCompressSync(bytes).length;
}

const files = firstFiles();
for (const file of collect("src/features/home/page.tsx", new Set())) files.add(file);
for (const file of firstFonts()) files.add(file);
let over = false;
for (const [kind, bytesMax] of Object.entries(BYTES_MAX)) {
  const ofKind = [...files].filter((file) => file.endsWith(`.${kind}`));
  const bytes = ofKind.map(sentBytes).reduce((sum, one) => sum + one, 0);
  if (bytes === 0) throw new Error(`index.html names no ${kind}`);
  over ||= bytes > bytesMax;
  const verdict = bytes > bytesMax ? "OVER" : "ok";
  console.log(`${kind}: ${bytes} of ${bytesMax} bytes in ${ofKind.length} files, ${verdict}`);
}
const early = [...files].filter((file) => {
  return readFileSync(join(DIST, file), "utf8").startsWith("//# allFunctionsCalledOnLoad");
});
console.log(`compiled while they arrive: ${early.join(", ")}`);

/** Strings that occur only in organizer code and texts. */
const ORGANIZERS = /X-Organize|Six-digit code|Codice di sei cifre/;

/** The files that contain organizer code or texts. */
function withOrganizers(files) {
  return [...files].filter((file) => ORGANIZERS.test(readFileSync(join(DIST, file), "utf8")));
}

const ofPlayers = firstFiles();
for (const page of Object.values(PAGES)) collect(`src/features/${page}.tsx`, ofPlayers);
collect("src/messages/it.ts", ofPlayers);
const leaked = withOrganizers(ofPlayers);
console.log(`of organizers in players' files: ${leaked.join(", ") || "none"}`);
const ownFiles = withOrganizers(collect("src/features/organize/page.tsx", new Set()));
if (ownFiles.length === 0) throw new Error("the organizers' own files have none of their words");
process.exit(over || early.length < 2 || leaked.length > 0 ? 1 : 0);
