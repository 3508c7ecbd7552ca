/** Named views of the lists: the filters that organizers use all day, each with an address. */
import type { Changes } from "../frame/view";

interface NamedView {
  readonly name: string;
  readonly path: string;
  readonly query: Changes;
  /** Permission needed besides the one for the page. */
  readonly needs?: string;
}

const CHALLENGES = "/organize/challenges";
const TEAMS = "/organize/teams";
const SUBMISSIONS = "/organize/submissions";
const MESSAGES = "/organize/messages";
const AUDIT_LOG = "/organize/audit-log";

export const VIEWS = [
  { name: "broken", path: CHALLENGES, query: { status: "broken" } },
  { name: "hidden", path: CHALLENGES, query: { state: "hidden" } },
  { name: "unsolved", path: CHALLENGES, query: { solved: "none" } },
  { name: "manyIncorrect", path: CHALLENGES, query: { wrong: "many" }, needs: "flag.list" },
  { name: "stuck", path: TEAMS, query: { activity: "stuck" }, needs: "team.resend" },
  { name: "online", path: TEAMS, query: { activity: "online" }, needs: "team.resend" },
  { name: "waiting", path: TEAMS, query: { standing: "waiting" }, needs: "team.resend" },
  { name: "unconfirmed", path: TEAMS, query: { standing: "unconfirmed" }, needs: "team.resend" },
  { name: "mailFailed", path: TEAMS, query: { mail: "refused" }, needs: "team.resend" },
  { name: "out", path: TEAMS, query: { standing: "banned,hidden" }, needs: "team.resend" },
  { name: "near", path: SUBMISSIONS, query: { near: "any" } },
  { name: "nearNow", path: SUBMISSIONS, query: { near: "any", since: "10m" } },
  { name: "incorrect", path: SUBMISSIONS, query: { verdict: "wrong", since: "1h" } },
  { name: "firstBloods", path: SUBMISSIONS, query: { verdict: "first" } },
  { name: "open", path: MESSAGES, query: { state: "open" } },
  { name: "unclaimed", path: MESSAGES, query: { state: "open", claim: "no" } },
  { name: "mine", path: AUDIT_LOG, query: { who: "me" } },
  { name: "undone", path: AUDIT_LOG, query: { undone: "yes" } },
] as const satisfies readonly NamedView[];

export type View = NamedView & { readonly name: ViewName };
export type ViewName = (typeof VIEWS)[number]["name"];

/** Views of a page that the organizer's role can use. */
export function viewsOf(path: string, may: (action: string) => boolean): readonly View[] {
  const all: readonly View[] = VIEWS;
  return all.filter((one) => one.path === path && (!one.needs || may(one.needs)));
}

/** True if these query parameters have the values of the view; missing ones are empty. */
export function isView(query: Changes, names: readonly string[], search: string): boolean {
  const current = new URLSearchParams(search);
  const all = new Set([...names, ...Object.keys(query)]);
  return [...all].every((name) => (current.get(name) ?? "") === (query[name] ?? ""));
}
