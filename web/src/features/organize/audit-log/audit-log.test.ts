/** Filters of the audit log. */
import { expect, test } from "vitest";
import { BANNED } from "../fake-server";
import { matchesFilter } from "./page";

const NONE = { q: "", who: "", kind: "", undone: "" };

test.each([
  [{}, true],
  [{ q: "otters" }, true],
  [{ q: "SHARED" }, true],
  [{ q: "seals" }, false],
  [{ who: "Ada" }, true],
  [{ who: "Grace" }, false],
  [{ who: "me" }, true],
  [{ undone: "yes" }, false],
  [{ undone: "no" }, true],
  [{ kind: "team" }, true],
  [{ kind: "event" }, false],
  [{ q: "otters", who: "Ada", kind: "solve" }, false],
])("%j: %s", (filter, expected) => {
  expect(matchesFilter(BANNED, { ...NONE, ...filter }, "Ada")).toBe(expected);
});

test("an erased action is found only by its summary", () => {
  const erased = { ...BANNED, arguments: null, reason: null };
  expect(matchesFilter(erased, { ...NONE, q: "ada" }, "Ada")).toBe(true);
  expect(matchesFilter(erased, { ...NONE, q: "null" }, "Ada")).toBe(false);
});

test("the own actions of another organizer, and undone ones, are found", () => {
  expect(matchesFilter(BANNED, { ...NONE, who: "me" }, "Grace")).toBe(false);
  expect(matchesFilter({ ...BANNED, undoneBy: 8 }, { ...NONE, undone: "yes" }, "Ada")).toBe(true);
});
