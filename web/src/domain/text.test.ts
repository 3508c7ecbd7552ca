/** Lengths and order by code point. */
import { expect, test } from "vitest";
import { codePointLength, compareCodePoints } from "./text";

test("a character outside the basic plane is one", () => {
  expect(codePointLength("😀😀😀")).toBe(3);
  expect(codePointLength("")).toBe(0);
  expect(codePointLength("e\u0301")).toBe(2);
});

test("the order is by code point, not by UTF-16 unit", () => {
  const inOrder = ["", "A", "AA", "B", "a", "é", "\u{ff5e}", "\u{ffff}", "\u{10000}", "😀", "😀a"];
  const shuffled = [...inOrder].reverse().sort(compareCodePoints);
  expect(shuffled).toEqual(inOrder);
});
