/** What Vite built, as the tools after it read it: Vite's manifest and the page itself. */
import { readFileSync } from "node:fs";
import { join } from "node:path";

export const DIST = join(import.meta.dirname, "../dist");

/**
 * The players' pages by the first part of the address. A page that is missing here loads all the
 * same, without being announced.
 */
export const PAGES = {
  "/": "home/page",
  "/scoreboard": "scoreboard/page",
  "/team": "team/page",
  "/challenge": "challenges/page",
  "/rules": "rules/page",
  "/pages": "own-page/page",
  "/news": "news/page",
  "/login": "account/login",
  "/signup": "account/signup",
  "/confirm": "account/confirm",
  "/reset": "account/reset",
  "/account": "account/own/page",
};

/** @type {Record<string, { file: string, imports?: string[], css?: string[] }>} */
const manifest = JSON.parse(readFileSync(join(DIST, ".vite/manifest.json"), "utf8"));

const FIRST_FONT = "faces/inter-latin.woff2";

/** The scripts and sheets that index.html names, from the root of `dist`. */
export function firstFiles() {
  const page = readFileSync(join(DIST, "index.html"), "utf8");
  return new Set([...page.matchAll(/="\/(static\/(?:js|css)\/[^"]+)"/g)].map(([, file]) => file));
}

/** The faces that every page needs: letters of English in the weights of text. */
export function firstFonts() {
  const font = manifest[FIRST_FONT];
  if (!font) throw new Error(`the manifest has no ${FIRST_FONT}`);
  return [font.file];
}

/** Adds a source's chunk, its sheets, and those of all that it imports at once. */
export function collect(source, files) {
  const chunk = manifest[source];
  if (!chunk) throw new Error(`the manifest has no ${source}`);
  if (files.has(chunk.file)) return files;
  for (const file of [chunk.file, ...(chunk.css ?? [])]) files.add(file);
  for (const imported of chunk.imports ?? []) collect(imported, files);
  return files;
}
