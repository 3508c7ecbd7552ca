/** The filters of the log. */
import { expect, test } from "vitest";
import { BANNED } from "../stand-in";
import { isLeft } from "./page";

const NONE = { q: "", who: "", kind: "" };

test.each([
  [{}, true],
  [{ q: "otters" }, true],
  [{ q: "SHARED" }, true],
  [{ q: "seals" }, false],
  [{ who: "Ada" }, true],
  [{ who: "Grace" }, false],
  [{ kind: "team" }, true],
  [{ kind: "event" }, false],
  [{ q: "otters", who: "Ada", kind: "solve" }, false],
])("%j: %s", (filter, expected) => {
  expect(isLeft(BANNED, { ...NONE, ...filter })).toBe(expected);
});

test("an action whose words were erased is found by its sentence alone", () => {
  const erased = { ...BANNED, arguments: null, reason: null };
  expect(isLeft(erased, { ...NONE, q: "ada" })).toBe(true);
  expect(isLeft(erased, { ...NONE, q: "null" })).toBe(false);
});
