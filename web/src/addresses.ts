/** The site's addresses: converts views to and from query strings. Pure. */

/** Appends the defined values as a query string; a list becomes one parameter per member. */
function withQuery(path: string, query: Record<string, string | readonly string[] | undefined>) {
  const pairs = Object.entries(query).flatMap(([name, value = []]) =>
    [value].flat().map((one) => [name, one]),
  );
  return pairs.length === 0 ? path : `${path}?${new URLSearchParams(pairs)}`;
}

/** The view of the scoreboard page. */
export interface ScoreboardView {
  /** Page number, from 1. */
  readonly page?: number | undefined;
  /** Part of a team's name. */
  readonly q?: string | undefined;
  /** True if the score graph is shown. */
  readonly graph?: true | undefined;
  /** ID of the challenge whose solvers are listed. */
  readonly solvers?: string | undefined;
  /** ID of the division whose teams are shown, ranked among themselves. */
  readonly division?: string | undefined;
  /** True in the projector view. */
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
    division: query.get("division") || undefined,
    view: query.get("view") === "stage" ? "stage" : undefined,
  };
}

export function scoreboardAddress({ page, graph, ...view }: ScoreboardView = {}): string {
  return withQuery("/scoreboard", { page: page?.toString(), graph: graph?.toString(), ...view });
}

/** The view of the challenges page. */
export interface ChallengeView {
  /** IDs of open challenges. */
  readonly open: readonly string[];
  /** Names of hidden categories. */
  readonly hide: readonly string[];
  /** Search text. */
  readonly q?: string | undefined;
  /** Filter; all challenges if undefined. */
  readonly show?: "unsolved" | "solved" | undefined;
  /** Difficulty, and tag; all challenges if undefined. */
  readonly difficulty?: string | undefined;
  readonly tag?: string | undefined;
  /** Sort order; by category if undefined. */
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
    difficulty: query.get("difficulty") || undefined,
    tag: query.get("tag") || undefined,
    order: oneOf(query.get("order"), ["points", "solves"]),
  };
}

export function challengeAddress(view: Partial<ChallengeView>): string {
  return withQuery("/challenge", { ...view });
}

/**
 * Builds addresses of a page that continues to `to` afterwards. `to` is omitted for the home page.
 */
const leading = (path: string) => (to: string) =>
  withQuery(path, { to: to === "/" ? undefined : to });

export const loginAddress = leading("/login");
export const signupAddress = leading("/signup");

/** Placeholder for the site's own origin, so that this file stays pure. */
const OWN_ORIGIN = "https://site.invalid";

/** Returns the address to open after a login. */
export function readDestination(search: string): string {
  return ownAddress(new URLSearchParams(search).get("to") ?? "");
}

/**
 * Returns an address on the site; the home page for any other. Anyone can send a link with a `to`,
 * so the address must begin with a single slash and resolve to our own origin: browsers read `/\`
 * as `//`, and drop line breaks and tabs.
 */
export function ownAddress(to: string): string {
  if (!/^\/(?![/\\])[^\t\n\r]*$/.test(to)) return "/";
  const { origin, pathname, search: query } = new URL(to, OWN_ORIGIN);
  // Dots can also produce two slashes, as in `/.//host`.
  return origin === OWN_ORIGIN && !pathname.startsWith("//") ? pathname + query : "/";
}

/** The address of a custom page of the event. */
export function ownPageAddress(slug: string): string {
  return `/pages/${slug}`;
}

/**
 * The address of a team page. The names `.` and `..` are in the query, because browsers resolve
 * them in a path.
 */
export function teamAddress(name: string): string {
  return name === "." || name === ".." ? `/team?name=${name}` : `/team/${encodeURIComponent(name)}`;
}

/** The team's name from the path of its page. An invalidly encoded name is used verbatim. */
export function teamNameAt(path: string, search: string): string {
  const encoded = path.split("/")[2];
  if (encoded === undefined) return new URLSearchParams(search).get("name") ?? "";
  try {
    return decodeURIComponent(encoded);
  } catch {
    return encoded;
  }
}
