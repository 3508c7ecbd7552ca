/** The detail of a graph's clock times depends on its span. */
import { expect, test } from "vitest";
import { clockLabels } from "./moment";

const NOON = new Date(2023, 10, 25, 12, 0, 5).getTime() / 1000;

test.each([
  [300, "12:00:05"],
  [3600, "12:00"],
  [200_000, "25 Nov, 12:00"],
])("a span of %i seconds: %s", (spanS, words) => {
  expect(clockLabels(spanS, "en-GB")(NOON)).toBe(words);
});
