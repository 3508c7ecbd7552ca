/** Parsing views from addresses, and building addresses from views. */
import { describe, expect, test } from "vitest";
import {
  challengeAddress,
  loginAddress,
  readChallengeView,
  readDestination,
  readScoreboardView,
  scoreboardAddress,
  teamAddress,
  teamNameAt,
} from "./addresses";

const searchOf = (address: string) => new URL(address, "http://a.test").search;

describe("the scoreboard's", () => {
  test("views are written and read back", () => {
    const view = { page: 3, q: "a&b=c #é", graph: true, solvers: "x/y", view: "stage" } as const;
    expect(readScoreboardView(searchOf(scoreboardAddress(view)))).toEqual(view);
    expect(scoreboardAddress()).toBe("/scoreboard");
    expect(scoreboardAddress({ page: undefined, q: "a" })).toBe("/scoreboard?q=a");
  });
  test.each(["0", "1", "-2", "1.5", "1e99", "x", "", "NaN", "Infinity"])(
    "page %j is the first",
    (page) => expect(readScoreboardView(`?page=${page}`).page).toBeUndefined(),
  );
  test("unknown values are ignored", () => {
    const nothing = readScoreboardView("?graph=1&view=desk&q=&__proto__=x");
    expect(Object.values(nothing).every((one) => one === undefined)).toBe(true);
  });
});

test("the challenges' lists are written and read back", () => {
  const lists = { open: ["a", "b,c"], hide: ["web & more"] };
  const view = { ...lists, q: "a&b é", show: "solved", order: "points" } as const;
  expect(readChallengeView(searchOf(challengeAddress(view)))).toEqual(view);
  expect(readChallengeView("?show=all&order=__proto__&q=")).toEqual({ open: [], hide: [] });
  expect(challengeAddress({ open: [], hide: [] })).toBe("/challenge");
  expect(readChallengeView("")).toEqual({ open: [], hide: [] });
});

test.each(["/challenge", "/challenge?open=a%26b&hide=web+%26+more", "/team/a%2Fb", "/"])(
  "a login leads on to %j",
  (to) => expect(readDestination(searchOf(loginAddress(to)))).toBe(to),
);

test.each([
  "",
  "challenge",
  "https://evil.test/",
  "//evil.test/",
  "/\\evil.test/",
  "\\/evil.test/",
  "/\t/evil.test/",
  "/\n\\evil.test/",
  "/.//evil.test/",
  "/a/..//evil.test/",
  "/%2e//evil.test/",
  "/\t/[",
  " //evil.test/",
  "javascript:alert(1)",
  "https://site.invalid/challenge",
  "///",
])("a login does not lead to %j", (to) => {
  expect(readDestination(searchOf(loginAddress(to)))).toBe("/");
});

test("a login without a destination leads home", () => expect(readDestination("")).toBe("/"));

test.each(["Ants", ".", "..", "a/b", "50%", "?#&", "é ü", "<b>", "%2F", "../x"])(
  "the team %j is found by its address",
  (name) => {
    const { pathname, search } = new URL(teamAddress(name), "http://a.test");
    expect(teamNameAt(pathname, search)).toBe(name);
  },
);

test("a name that is not validly encoded is used verbatim", () => {
  expect(teamNameAt("/team/50%", "")).toBe("50%");
  expect(teamNameAt("/team", "")).toBe("");
});
