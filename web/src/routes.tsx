/** Every route of the site, each page a chunk of its own, and what its address may hold. */
import { createRootRoute, createRoute, createRouter, redirect } from "@tanstack/react-router";
import { readToken } from "./api/token";
import { NotFound, PageFailed } from "./features/shell/problem";
import { Shell } from "./features/shell/shell";
import { useMessages } from "./messages/language";
import { chunkPage } from "./ui/chunk";
import { Loading } from "./ui/loading";

/** A list from the address: one text or several, nothing else. */
function texts(value: unknown): string[] | undefined {
  const all: unknown[] = Array.isArray(value) ? value : [value];
  const known = all.filter((one) => typeof one === "string" || typeof one === "number");
  return known.length > 0 ? known.map(String) : undefined;
}

function text(value: unknown): string | undefined {
  return texts(value)?.[0];
}

function pageNumber(value: unknown): number | undefined {
  return typeof value === "number" && Number.isInteger(value) && value > 1 ? value : undefined;
}

const root = createRootRoute({ component: Shell, notFoundComponent: NotFound });

const home = createRoute({
  getParentRoute: () => root,
  path: "/",
  component: chunkPage("home", () => import("./features/home/page")),
});

interface ScoreboardSearch {
  page?: number | undefined;
  /** Part of a team's name. */
  q?: string | undefined;
  /** The score graph is shown. */
  graph?: true | undefined;
  /** The id of the challenge whose solvers are listed. */
  solvers?: string | undefined;
  /** The projector's view. */
  view?: "stage" | undefined;
}

const scoreboard = createRoute({
  getParentRoute: () => root,
  path: "/scoreboard",
  validateSearch: (search: Record<string, unknown>): ScoreboardSearch => ({
    page: pageNumber(search.page),
    q: text(search.q),
    graph: search.graph === true ? true : undefined,
    solvers: text(search.solvers),
    view: search.view === "stage" ? "stage" : undefined,
  }),
  component: chunkPage("scoreboard", () => import("./features/scoreboard/page")),
});

const teamPage = chunkPage("team", () => import("./features/team/page"));

const team = createRoute({
  getParentRoute: () => root,
  path: "/team/$name",
  component: teamPage,
});

/** For the names that no path can hold. */
const teamByQuery = createRoute({
  getParentRoute: () => root,
  path: "/team",
  validateSearch: (search: Record<string, unknown>): { name?: string | undefined } => ({
    name: text(search.name),
  }),
  component: teamPage,
});

interface ChallengeSearch {
  /** Ids of the open challenges. */
  open?: string[] | undefined;
  /** Hidden categories. */
  hide?: string[] | undefined;
}

const challenge = createRoute({
  getParentRoute: () => root,
  path: "/challenge",
  validateSearch: (search: Record<string, unknown>): ChallengeSearch => ({
    open: texts(search.open),
    hide: texts(search.hide),
  }),
  beforeLoad: () => {
    if (readToken() === "") throw redirect({ to: "/login", replace: true });
  },
  component: chunkPage("challenges", () => import("./features/challenges/page")),
});

const rules = createRoute({
  getParentRoute: () => root,
  path: "/rules",
  component: chunkPage("rules", () => import("./features/rules/page")),
});

const login = createRoute({
  getParentRoute: () => root,
  path: "/login",
  component: chunkPage("login", () => import("./features/account/login")),
});

const signup = createRoute({
  getParentRoute: () => root,
  path: "/signup",
  component: chunkPage("signup", () => import("./features/account/signup")),
});

const confirm = createRoute({
  getParentRoute: () => root,
  path: "/confirm",
  component: chunkPage("confirm", () => import("./features/account/confirm")),
});

const reset = createRoute({
  getParentRoute: () => root,
  path: "/reset",
  component: chunkPage("reset", () => import("./features/account/reset")),
});

const routeTree = root.addChildren([
  home,
  scoreboard,
  team,
  teamByQuery,
  challenge,
  rules,
  login,
  signup,
  confirm,
  reset,
]);

function PageLoading() {
  return <Loading label={useMessages().loading.page} />;
}

/** The router; a test gives its own history by the address it sets. */
export function createSiteRouter() {
  return createRouter({
    routeTree,
    defaultPreload: "intent",
    defaultPendingComponent: PageLoading,
    defaultErrorComponent: PageFailed,
    scrollRestoration: true,
  });
}

declare module "@tanstack/react-router" {
  interface Register {
    router: ReturnType<typeof createSiteRouter>;
  }
}
