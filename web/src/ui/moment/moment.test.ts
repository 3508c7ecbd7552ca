/** Graph times are formatted according to the span, in the chosen zone. */
import { expect, test } from "vitest";
import { clockLabels } from "./moment";

const NOON = new Date(2023, 10, 25, 12, 0, 5).getTime() / 1000;

test.each([
  [300, "12:00:05"],
  [3600, "12:00"],
  [200_000, "25 Nov, 12:00"],
])("a span of %i seconds: %s", (spanS, words) => {
  expect(clockLabels(spanS, "en-GB", undefined)(NOON)).toBe(words);
});

test("times are in the given zone", () => {
  const ts = Date.UTC(2023, 10, 25, 12, 0, 5) / 1000;
  expect(clockLabels(3600, "en-GB", "Asia/Tokyo")(ts)).toBe("21:00");
});
