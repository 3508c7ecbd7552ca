/** Vite's build output for the other build tools: its manifest and index.html. */
import { readFileSync } from "node:fs";
import { join } from "node:path";

export const DIST = join(import.meta.dirname, "../dist");

/**
 * Player pages by the first part of the address. A page that is missing here still loads, but is
 * not preloaded.
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

/** The scripts and style sheets that index.html references, relative to `dist`. */
export function firstFiles() {
  const page = readFileSync(join(DIST, "index.html"), "utf8");
  return new Set([...page.matchAll(/="\/(static\/(?:js|css)\/[^"]+)"/g)].map(([, file]) => file));
}

/** The fonts that every page needs: Latin letters in the weights of body text. */
export function firstFonts() {
  const font = manifest[FIRST_FONT];
  if (!font) throw new Error(`the manifest has no ${FIRST_FONT}`);
  return [font.file];
}

/** Adds the chunk and style sheets of a source and of all its static imports. */
export function collect(source, files) {
  const chunk = manifest[source];
  if (!chunk) throw new Error(`the manifest has no ${source}`);
  if (files.has(chunk.file)) return files;
  for (const file of [chunk.file, ...(chunk.css ?? [])]) files.add(file);
  for (const imported of chunk.imports ?? []) collect(imported, files);
  return files;
}
