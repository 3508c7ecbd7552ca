/** The site's addresses: reads views from the query and writes them to it. Pure. */

/** The query string of what is set; a list becomes one parameter for each member. */
function withQuery(path: string, query: Record<string, string | readonly string[] | undefined>) {
  const pairs = Object.entries(query).flatMap(([name, value = []]) =>
    [value].flat().map((one) => [name, one]),
  );
  return pairs.length === 0 ? path : `${path}?${new URLSearchParams(pairs)}`;
}

/** The view of the scoreboard's page. */
export interface ScoreboardView {
  /** From 1. */
  readonly page?: number | undefined;
  /** Part of a team's name. */
  readonly q?: string | undefined;
  /** The score graph is shown. */
  readonly graph?: true | undefined;
  /** The id of the challenge whose solvers are listed. */
  readonly solvers?: string | undefined;
  /** The projector's view. */
  readonly view?: "stage" | undefined;
}

function pageNumber(text: string | null): number | undefined {
  const page = Number(text ?? 1);
  return Number.isSafeInteger(page) && page > 1 ? page : undefined;
}

export function readScoreboardView(search: string): ScoreboardView {
  const query = new URLSearchParams(search);
  return {
    page: pageNumber(query.get("page")),
    q: query.get("q") || undefined,
    graph: query.get("graph") === "true" || undefined,
    solvers: query.get("solvers") ?? undefined,
    view: query.get("view") === "stage" ? "stage" : undefined,
  };
}

export function scoreboardAddress({ page, graph, ...view }: ScoreboardView = {}): string {
  return withQuery("/scoreboard", { page: page?.toString(), graph: graph?.toString(), ...view });
}

/** The view of the challenges' page. */
export interface ChallengeView {
  /** Ids of open challenges. */
  readonly open: readonly string[];
  /** Names of hidden categories. */
  readonly hide: readonly string[];
  /** What is searched for. */
  readonly q?: string | undefined;
  /** All without it. */
  readonly show?: "unsolved" | "solved" | undefined;
  /** By place without it. */
  readonly order?: "points" | "solves" | undefined;
}

function oneOf<T extends string>(text: string | null, known: readonly T[]): T | undefined {
  return known.find((one) => one === text);
}

export function readChallengeView(search: string): ChallengeView {
  const query = new URLSearchParams(search);
  return {
    open: query.getAll("open"),
    hide: query.getAll("hide"),
    q: query.get("q") || undefined,
    show: oneOf(query.get("show"), ["unsolved", "solved"]),
    order: oneOf(query.get("order"), ["points", "solves"]),
  };
}

export function challengeAddress(view: Partial<ChallengeView>): string {
  return withQuery("/challenge", { ...view });
}

/** A page that leads on to an address of the site; home without saying so. */
const leading = (path: string) => (to: string) =>
  withQuery(path, { to: to === "/" ? undefined : to });

export const loginAddress = leading("/login");
export const signupAddress = leading("/signup");

/** Stands for our own origin, so that this file stays pure. */
const OWN_ORIGIN = "https://site.invalid";

/** Where a login leads. */
export function readDestination(search: string): string {
  return ownAddress(new URLSearchParams(search).get("to") ?? "");
}

/**
 * An address of the site, else home. Anyone may send a link with a `to`, so it begins with a single
 * slash and resolves to our own origin; browsers read `/\` as `//`, and drop line breaks and tabs.
 */
export function ownAddress(to: string): string {
  if (!/^\/(?![/\\])[^\t\n\r]*$/.test(to)) return "/";
  const { origin, pathname, search: query } = new URL(to, OWN_ORIGIN);
  // Two slashes can also come of dots, as in `/.//host`.
  return origin === OWN_ORIGIN && !pathname.startsWith("//") ? pathname + query : "/";
}

/** A page of the event's own. */
export function ownPageAddress(slug: string): string {
  return `/pages/${slug}`;
}

/** A team's page. Browsers resolve the names `.` and `..` in a path: these go in the query. */
export function teamAddress(name: string): string {
  return name === "." || name === ".." ? `/team?name=${name}` : `/team/${encodeURIComponent(name)}`;
}

/** The team's name from the path of its page; an invalid encoding is left as it is. */
export function teamNameAt(path: string, search: string): string {
  const encoded = path.split("/")[2];
  if (encoded === undefined) return new URLSearchParams(search).get("name") ?? "";
  try {
    return decodeURIComponent(encoded);
  } catch {
    return encoded;
  }
}
