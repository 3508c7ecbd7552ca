/** Search by part of a name, regardless of case, width and form. */
import { expect, test } from "vitest";
import type { RankedTeam } from "./board";
import { findTeams } from "./find";

const ranked = [
  "Café Olé",
  "ﬁshbone",
  "STRASSE",
  "ΟΔΟΣ",
  "ＷＩＤＥ load",
  "فريق النور",
  "50% off",
].map(
  (teamName, index): RankedTeam => ({
    team: { teamName, country: "UN", solves: new Map(), lastSolveTs: 0, award: 0 },
    rank: index + 1,
    points: 0,
  }),
);

const TABLE: [query: string, ranks: number[]][] = [
  ["", [1, 2, 3, 4, 5, 6, 7]],
  ["   ", [1, 2, 3, 4, 5, 6, 7]],
  ["olé", [1]],
  ["OLE\u0301", [1]],
  ["fish", [2]],
  ["straße", [3]],
  ["οδος", [4]],
  ["wide LOAD", [5]],
  ["النور", [6]],
  ["% O", [7]],
  ["o", [1, 2, 5, 7]],
  [".*", []],
];

for (const [query, ranks] of TABLE) {
  test(`"${query}" finds ranks ${ranks.join(", ") || "none"}`, () => {
    expect(findTeams(ranked, query).map(({ rank }) => rank)).toEqual(ranks);
  });
}
