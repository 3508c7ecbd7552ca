/** Extending the event, and times after a reveal. */
import { describe, expect, test } from "vitest";
import { extended, isResultShown, movedTimes, staysRevealed } from "./times";

const MINUTE_MS = 60_000;
const iso = (minutes: number) => new Date(minutes * MINUTE_MS).toISOString();
const at = (minutes: number | null) => (minutes === null ? null : minutes * MINUTE_MS);

function stand(now: number, more: { freeze?: number | null; isRevealed?: boolean } = {}) {
  const { freeze = 60, isRevealed = false } = more;
  const status = now >= 90 ? "ended" : "running";
  return { start: 0, freeze: at(freeze), end: at(90), now: now * MINUTE_MS, status, isRevealed };
}

describe("a later end", () => {
  test("moves an upcoming freeze, unless only the end is chosen", () => {
    expect(extended(stand(10), 15, false)).toMatchObject({ freeze: iso(75), end: iso(105) });
    expect(extended(stand(10), 15, true)).toMatchObject({ freeze: undefined, end: iso(105) });
  });
  test("keeps a past or missing freeze", () => {
    for (const now of [stand(60), stand(10, { freeze: null })]) {
      expect(extended(now, 15, false)).toMatchObject({ freeze: undefined, end: iso(105) });
    }
  });
});

test("all three times are listed; unchanged ones have equal values", () => {
  expect(movedTimes(stand(10), { end: iso(105) })).toEqual([
    { phase: "start", was: 0, becomes: 0 },
    { phase: "freeze", was: at(60), becomes: at(60) },
    { phase: "end", was: at(90), becomes: at(105) },
  ]);
});

test("after a reveal nothing is hidden, unless the freeze moves to the future", () => {
  const stays = (isRevealed: boolean, given: Parameters<typeof movedTimes>[1]) => {
    const now = stand(95, { isRevealed });
    return staysRevealed(now, movedTimes(now, given));
  };
  expect(stays(true, { end: iso(120) })).toBe(true);
  expect(stays(true, { freeze: iso(110), end: iso(120) })).toBe(false);
  expect(stays(false, { end: iso(120) })).toBe(false);
});

test("after the result was shown, no later end is offered", () => {
  expect(isResultShown(stand(95, { isRevealed: true }))).toBe(true);
  expect(isResultShown(stand(95))).toBe(false);
});
