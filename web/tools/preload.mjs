/**
 * Writes down what each page needs besides what index.html names, as the `Link` header that the
 * program sends along: the browser fetches a page's own chunk while it still reads the site's.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { collect, DIST, firstFiles, PAGES } from "./manifest.mjs";

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
