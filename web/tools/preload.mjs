/**
 * Writes down what each page needs besides what index.html names, as the `Link` header that the
 * program sends along: the browser fetches a page's own chunk while it still reads the site's.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { collect, DIST, firstFiles } from "./manifest.mjs";

/** By the first part of the address. A page that is missing here loads all the same. */
const PAGES = {
  "/": "home/page",
  "/scoreboard": "scoreboard/page",
  "/team": "team/page",
  "/challenge": "challenges/page",
  "/rules": "rules/page",
  "/login": "account/login",
  "/signup": "account/signup",
  "/confirm": "account/confirm",
  "/reset": "account/reset",
};

function link(file) {
  const kind = file.endsWith(".css") ? "preload; as=style" : "modulepreload";
  return `</${file}>; rel=${kind}; crossorigin`;
}

const first = firstFiles();
const links = Object.entries(PAGES).map(([path, source]) => {
  const files = [...collect(`src/features/${source}.tsx`, new Set())];
  return [
    path,
    files
      .filter((file) => !first.has(file))
      .map(link)
      .join(", "),
  ];
});
writeFileSync(join(DIST, ".preload.json"), JSON.stringify(Object.fromEntries(links)));
