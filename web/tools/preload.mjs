/**
 * Writes the `Link` header of each page, which lists the files it needs beyond those in index.html,
 * so that the browser fetches the page's chunk in parallel. The body font is preloaded in
 * index.html: through the style sheet it would be fetched only after the first render. Scripts
 * come first.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { collect, DIST, firstFiles, firstFonts, PAGES } from "./manifest.mjs";

function link(file) {
  const kind = file.endsWith(".css") ? "preload; as=style" : "modulepreload";
  return `</${file}>; rel=${kind}; crossorigin`;
}

const index = join(DIST, "index.html");
const fonts = firstFonts().map((file) => {
  const kind = 'as="font" type="font/woff2" crossorigin fetchpriority="low"';
  return `  <link rel="preload" href="/${file}" ${kind}>\n`;
});
const page = readFileSync(index, "utf8");
writeFileSync(index, page.replace("  </head>", `${fonts.join("")}  </head>`));

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
