/** The selection in the URL, or in the session storage if it is long. */
import { beforeEach, expect, test } from "vitest";
import { chosenIn, chosenText, rangeOf } from "./selection";

beforeEach(() => sessionStorage.clear());

test.each([
  [["web", "crypto"], "web,crypto"],
  [[], ""],
  [["Otters, Ltd", "Crows"], '["Otters, Ltd","Crows"]'],
  [["*"], '["*"]'],
  [["[x"], '["[x"]'],
])("%j is %s in the URL", (names, text) => {
  expect(chosenText(names, "")).toBe(text);
  expect(chosenIn(text)).toEqual(names);
});

test("many names are in the session storage, and each change has another address", () => {
  const many = Array.from({ length: 40 }, (_, at) => `Team with a long name, number ${at}`);
  const first = chosenText(many, "");
  expect(first).toBe("*1");
  expect(chosenIn(first)).toEqual(many);
  const next = chosenText(many.slice(1), first);
  expect(next).not.toBe(first);
  expect(chosenIn(next)).toEqual(many.slice(1));
});

test("a broken value selects nothing", () => {
  expect(chosenIn('["a"')).toEqual([]);
  sessionStorage.setItem("organize chosen /", "{");
  expect(chosenIn("*3")).toEqual([]);
});

test.each([
  ["b", "d", "bcd"],
  ["d", "b", "bcd"],
  ["gone", "c", "c"],
  [undefined, "a", "a"],
])("the range from %s to %s is %s", (from, to, expected) => {
  expect(rangeOf([..."abcde"], from, to).join("")).toBe(expected);
});
