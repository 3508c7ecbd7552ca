/** Keys of submissions, and the evidence filters. */
import { expect, test } from "vitest";
import { PAIR } from "../fake-server";
import { leftOf } from "./evidence";
import { keyOf, pairName } from "./names";

const flag = (at: number, teamName: string) => {
  const flag = { at, teamName, challengeId: "oars", verdict: "wrong" };
  return { ...flag, countsNow: false, afterEnd: false };
};

test("submissions at the same time have distinct keys, which newer ones do not change", () => {
  const rows = [flag(5, "A"), flag(5, "B"), flag(5, "A"), flag(1, "A")];
  const keys = rows.map((_, place) => keyOf(rows, place));
  expect(new Set(keys).size).toBe(4);
  const more = [flag(9, "A"), flag(5, "A"), ...rows];
  expect(more.slice(2).map((_, place) => keyOf(more, place + 2))).toEqual(keys);
  expect(new Set(more.map((_, place) => keyOf(more, place))).size).toBe(6);
});

test.each([
  [{}, 2],
  [{ q: " hostile" }, 1],
  [{ state: "cleared" }, 1],
  [{ kind: "team_flag", state: "new" }, 1],
  [{ kind: "same_order" }, 0],
])("the filter %j leaves %i", (filter, count) => {
  const alone = { teamName: "Ants", otherName: null, state: "cleared", lastAt: 1, facts: [] };
  const left = leftOf([PAIR, alone], { q: "", state: "", kind: "", ...filter });
  expect(left).toHaveLength(count);
  expect(pairName(alone)).toBe('["Ants"]');
});
