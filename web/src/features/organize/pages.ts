/** All organizer pages, each in its own chunk. */
import { chunkPage } from "../../ui/chunk/chunk";

/** Pages without the frame, used before login. */
export const DOORS = new Map([
  ["/organize/invite", chunkPage("invite", () => import("./invite"))],
  ["/organize/sign-in", chunkPage("sign-in", () => import("./sign-in"))],
]);

/** Menu pages: the key after `g`, and the permission needed to see the page. */
export const MENU = [
  { name: "overview", path: "/organize", key: "o", needs: "event.overview" },
  { name: "challenges", path: "/organize/challenges", key: "c", needs: "challenge.list" },
  { name: "teams", path: "/organize/teams", key: "t", needs: "team.list" },
  { name: "submissions", path: "/organize/submissions", key: "s", needs: "flag.list" },
  { name: "messages", path: "/organize/messages", key: "m", needs: "question.list" },
  { name: "event", path: "/organize/event", key: "e", needs: "event.overview" },
  { name: "auditLog", path: "/organize/audit-log", key: "l", needs: "action.list" },
] as const;

/** Page with a name and an icon in the frame. */
export type PageName = (typeof MENU)[number]["name"] | "account";

/** The ceremony, which fills the screen without the frame. */
export const CEREMONY = "/organize/ceremony";
export const Ceremony = chunkPage("ceremony", () => import("./ceremony/page"));

export const ACCOUNT = "/organize/account";
/** Path of the event setup. */
export const SETUP = "/organize/setup";

/** Permission needed to see a page; undefined for the account, which everyone can see. */
function needsOf(path: string): string | undefined {
  if (path === SETUP) return "settings.read";
  return MENU.find((page) => page.path === path)?.needs;
}

export const FRAMED = new Map([
  ["/organize", chunkPage("overview", () => import("./overview/page"))],
  ["/organize/challenges", chunkPage("organize-challenges", () => import("./challenges/page"))],
  ["/organize/teams", chunkPage("organize-teams", () => import("./teams/page"))],
  ["/organize/submissions", chunkPage("submissions", () => import("./submissions/page"))],
  ["/organize/messages", chunkPage("messages", () => import("./messages/page"))],
  ["/organize/event", chunkPage("event", () => import("./event/page"))],
  ["/organize/audit-log", chunkPage("audit-log", () => import("./audit-log/page"))],
  [SETUP, chunkPage("organize-setup", () => import("./setup/page"))],
  [ACCOUNT, chunkPage("organize-account", () => import("./account"))],
]);

const Editor = chunkPage("organize-editor", () => import("./editor/page"));
/** Paths of the challenge editor, and the permissions that they need. */
const EDITORS = [
  { pattern: /^\/organize\/challenges\/new$/, needs: "challenge.create" },
  { pattern: /^\/organize\/challenges\/[^/]+\/edit$/, needs: "challenge.read" },
] as const;

/** Page in the frame at a path, and the permission needed to see it. */
export function framedAt(path: string) {
  const editor = EDITORS.find(({ pattern }) => pattern.test(path));
  if (editor) return { Page: Editor, needs: editor.needs };
  const Page = FRAMED.get(path);
  return Page && { Page, needs: needsOf(path) };
}
