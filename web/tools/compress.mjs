/**
 * Compresses the text files of the built site with Brotli at maximum quality, next to the
 * originals. For files below `static` the program embeds only the compressed form.
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
