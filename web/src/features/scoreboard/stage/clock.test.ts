/** The color of the projector's clock. */
import { expect, test } from "vitest";
import { toneOf } from "./clock";

const MINUTE_MS = 60_000;

for (const [leftMs, isFrozen, tone] of [
  [60 * MINUTE_MS, false, undefined],
  [60 * MINUTE_MS, true, "ice"],
  [10 * MINUTE_MS + 1, true, "ice"],
  [10 * MINUTE_MS, true, "late"],
  [10 * MINUTE_MS, false, "late"],
  [MINUTE_MS, true, "last"],
] as const) {
  test(`${leftMs} ms before the end${isFrozen ? " in the freeze" : ""} it is ${tone}`, () => {
    expect(toneOf(leftMs, isFrozen)).toBe(tone);
  });
}
