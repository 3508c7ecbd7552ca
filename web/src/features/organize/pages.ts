/** Every page of the organizers, each a chunk of its own. */
import { chunkPage } from "../../ui/chunk/chunk";

/** Those that stand without the frame: nobody is signed in yet. */
export const DOORS = new Map([
  ["/organize/invite", chunkPage("invite", () => import("./invite"))],
  ["/organize/sign-in", chunkPage("sign-in", () => import("./sign-in"))],
]);

/** The pages of the menu: the letter after `g`, and the action that a role needs to see it. */
export const MENU = [
  { name: "now", path: "/organize", key: "n", needs: "event.overview" },
  { name: "challenges", path: "/organize/challenges", key: "c", needs: "challenge.list" },
  { name: "teams", path: "/organize/teams", key: "t", needs: "team.list" },
  { name: "flags", path: "/organize/flags", key: "f", needs: "flag.list" },
  { name: "desk", path: "/organize/desk", key: "d", needs: "question.list" },
  { name: "event", path: "/organize/event", key: "e", needs: "event.overview" },
  { name: "log", path: "/organize/log", key: "l", needs: "action.list" },
] as const;

export const ACCOUNT = "/organize/account";
/** From an empty event to one that runs. */
export const SETUP = "/organize/setup";

/** The action that a role needs to see a page; the account is everyone's. */
function needsOf(path: string): string | undefined {
  if (path === SETUP) return "settings.read";
  return MENU.find((page) => page.path === path)?.needs;
}

export const FRAMED = new Map([
  ["/organize", chunkPage("now", () => import("./now/page"))],
  ["/organize/challenges", chunkPage("organize-challenges", () => import("./challenges/page"))],
  ["/organize/teams", chunkPage("organize-teams", () => import("./teams/page"))],
  ["/organize/flags", chunkPage("organize-flags", () => import("./flags/page"))],
  ["/organize/desk", chunkPage("desk", () => import("./desk/page"))],
  ["/organize/event", chunkPage("event", () => import("./event/page"))],
  ["/organize/log", chunkPage("log", () => import("./log/page"))],
  [SETUP, chunkPage("organize-setup", () => import("./setup/page"))],
  [ACCOUNT, chunkPage("organize-account", () => import("./account"))],
]);

const Editor = chunkPage("organize-editor", () => import("./editor/page"));
/** Where challenges are made and changed, and the action that a role needs for it. */
const EDITORS = [
  { pattern: /^\/organize\/challenges\/new$/, needs: "challenge.create" },
  { pattern: /^\/organize\/challenges\/[^/]+\/edit$/, needs: "challenge.read" },
] as const;

/** The page in the frame at a path, and the action that a role needs to see it. */
export function framedAt(path: string) {
  const editor = EDITORS.find(({ pattern }) => pattern.test(path));
  if (editor) return { Page: Editor, needs: editor.needs };
  const Page = FRAMED.get(path);
  return Page && { Page, needs: needsOf(path) };
}
