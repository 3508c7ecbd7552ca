/** Contrast of accent colors, in numbers and words. */
import { expect, test } from "vitest";
import { contrastOf, textOn, verdictOf } from "./contrast";

test("contrast is the one of WCAG, for long and short colors", () => {
  expect(contrastOf("#000", "#ffffff")).toBeCloseTo(21);
  expect(contrastOf("#777", "#777777")).toBe(1);
  expect(contrastOf("blue", "#fff")).toBeNull();
});

test("a verdict is low below 3:1, as the server requires", () => {
  expect(verdictOf("#ffb225", "light")).toEqual({ ratio: "1.6", verdict: "low" });
  expect(verdictOf("#ffb225", "dark")?.verdict).toBe("good");
  expect(verdictOf("#0077cc", "light")?.verdict).toBe("enough");
  expect(verdictOf("", "light")).toBeNull();
});

test("text on an accent has the higher contrast", () => {
  expect(textOn("#ffb224")).toBe("#000000");
  expect(textOn("#0b2a66")).toBe("#ffffff");
});
