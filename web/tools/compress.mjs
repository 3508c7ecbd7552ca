/**
 * Packs the built site's texts once, as well as Brotli can, beside themselves. Of those below
 * `static` the program embeds the packed form alone.
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync } from "node:zlib";

const DIST = join(import.meta.dirname, "../dist");
const TEXTS = /\.(css|html|js|json|svg)$/;

for (const entry of readdirSync(DIST, { recursive: true, withFileTypes: true })) {
  if (!entry.isFile() || !TEXTS.test(entry.name)) continue;
  const file = join(entry.parentPath, entry.name);
  writeFileSync(`${file}.br`, brotliCompressSync(readFileSync(file)));
}
