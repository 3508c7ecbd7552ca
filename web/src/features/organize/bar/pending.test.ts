/** Pending work of the pages: counted from the overview, and only for those who may do it. */
import { expect, test } from "vitest";
import type { Overview } from "../../../api/organize-lists";
import { pendingOf } from "./pending";

const OVERVIEW = {
  challenges: { shown: 3, withErrors: 2 },
  health: { mail: { waiting: 4, failed: 1 } },
  openQuestions: 3,
  warnings: [],
} as unknown as Overview;

const pages = (may: (action: string) => boolean) =>
  pendingOf(OVERVIEW, may).map(({ page, count }) => [page, count]);

test("each page counts its own work, and pages without any have no count", () => {
  expect(pages(() => true)).toEqual([
    ["challenges", 2],
    ["teams", 5],
    ["messages", 3],
  ]);
});

test("a role sees only counts of work that it can do", () => {
  expect(pages((action) => action === "question.list")).toEqual([["messages", 3]]);
});
