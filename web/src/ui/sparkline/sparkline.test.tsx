/** The path of a sparkline. */
import { render } from "@testing-library/react";
import { expect, test } from "vitest";
import { drawSparkline, Sparkline, sparkPath } from "./sparkline";

test("values are at equal distances, from the bottom to the top", () => {
  expect(sparkPath([0, 50, 100])).toBe("M0 15L30 8L60 1");
  expect(sparkPath([100, 100])).toBe("M0 1L60 1");
});

test("a score below zero is at the bottom", () => {
  expect(sparkPath([-40, 10])).toBe("M0 15L60 1");
});

test("without points or with a single value, there is no line", () => {
  for (const values of [[], [7], [0, 0, 0]]) expect(sparkPath(values)).toBe("");
});

test("with or without React, the drawing is the same and hidden from screen readers", () => {
  const { container } = render(<Sparkline values={[0, 3, 9]} />);
  const { element, draw } = drawSparkline();
  draw([0, 3, 9]);
  expect(element.innerHTML).toBe(container.firstElementChild?.innerHTML);
  expect(element.getAttribute("aria-hidden")).toBe("true");
  expect(container.querySelectorAll("path")[0]?.getAttribute("d")).toMatch(/V16H0z$/);
});
