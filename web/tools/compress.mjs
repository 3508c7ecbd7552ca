/**
 * Packs the built site's texts once, as well as Brotli can, beside themselves: the program embeds
 * both forms and packs nothing while it serves.
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync } from "node:zlib";

const DIST = join(import.meta.dirname, "../dist");
const TEXTS = /\.(css|html|js|json|svg)$/;
/** Smaller files are not worth it. */
const BYTES_MIN = 512;

for (const entry of readdirSync(DIST, { recursive: true, withFileTypes: true })) {
  if (!entry.isFile() || !TEXTS.test(entry.name)) continue;
  const file = join(entry.parentPath, entry.name);
  const plain = readFileSync(file);
  if (plain.length >= BYTES_MIN) writeFileSync(`${file}.br`, brotliCompressSync(plain));
}
