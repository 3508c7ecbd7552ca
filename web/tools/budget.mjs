/**
 * The first load of the home page: what index.html names and what the home page's own chunk adds,
 * in brotli. Over the budget is a failure. Reads Vite's manifest in `dist`.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync } from "node:zlib";

const DIST = join(import.meta.dirname, "../dist");
const FIRST = ["index.html", "src/features/home/page.tsx"];
const BYTES_MAX = { js: 110_000, css: 25_000 };

/** @type {Record<string, { file: string, imports?: string[], css?: string[] }>} */
const manifest = JSON.parse(readFileSync(join(DIST, ".vite/manifest.json"), "utf8"));

/** Adds a chunk's files, and those of all that it imports at once. */
function collect(name, files) {
  const chunk = manifest[name];
  if (!chunk) throw new Error(`the manifest has no ${name}`);
  if (files.has(chunk.file)) return;
  for (const file of [chunk.file, ...(chunk.css ?? [])]) files.add(file);
  for (const imported of chunk.imports ?? []) collect(imported, files);
}

function brotliBytes(file) {
  return brotliCompressSync(readFileSync(join(DIST, file))).length;
}

const files = new Set();
for (const name of FIRST) collect(name, files);
let over = false;
for (const [kind, bytesMax] of Object.entries(BYTES_MAX)) {
  const ofKind = [...files].filter((file) => file.endsWith(`.${kind}`));
  const bytes = ofKind.map(brotliBytes).reduce((sum, one) => sum + one, 0);
  over ||= bytes > bytesMax;
  const verdict = bytes > bytesMax ? "OVER" : "ok";
  console.log(`${kind}: ${bytes} of ${bytesMax} bytes in ${ofKind.length} files, ${verdict}`);
}
process.exit(over ? 1 : 0);
