/** All pages of the site, each in its own chunk. */
import { parseAddress } from "./navigate";
import { chunkPage } from "./ui/chunk/chunk";

type Page = ReturnType<typeof chunkPage>;

const PAGES: ReadonlyMap<string, Page> = new Map([
  ["/", chunkPage("home", () => import("./features/home/page"))],
  ["/scoreboard", chunkPage("scoreboard", () => import("./features/scoreboard/page"))],
  ["/team", chunkPage("team", () => import("./features/team/page"))],
  ["/challenge", chunkPage("challenges", () => import("./features/challenges/page"))],
  ["/rules", chunkPage("rules", () => import("./features/rules/page"))],
  ["/pages", chunkPage("own-page", () => import("./features/own-page/page"))],
  ["/news", chunkPage("news", () => import("./features/news/page"))],
  ["/login", chunkPage("login", () => import("./features/account/login"))],
  ["/signup", chunkPage("signup", () => import("./features/account/signup"))],
  ["/confirm", chunkPage("confirm", () => import("./features/account/confirm"))],
  ["/reset", chunkPage("reset", () => import("./features/account/reset"))],
  ["/join", chunkPage("join", () => import("./features/account/join"))],
  ["/account", chunkPage("account", () => import("./features/account/own/page"))],
  ["/address", chunkPage("address", () => import("./features/account/address"))],
  ["/stop", chunkPage("stop", () => import("./features/account/stop"))],
  ["/organize", chunkPage("organize", () => import("./features/organize/page"))],
]);

export const PATHS: readonly string[] = [...PAGES.keys()];

/** The page at an address. Team, custom and organizer pages have paths of several parts. */
export function pageAt(address: string): Page | undefined {
  const { path } = parseAddress(address);
  return PAGES.get(path.replace(/^(.organize).*|^(.team|.pages)\/[^/]+$/, "$1$2"));
}

/** Fetches the page's chunk, if there is one; a failure shows when the page renders. */
export async function preloadPage(address: string): Promise<void> {
  await pageAt(address)
    ?.preload()
    .catch(() => undefined);
}
