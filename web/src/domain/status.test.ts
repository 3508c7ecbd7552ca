/** The vectors of `status.json`, and the timers' arithmetic. */
import { describe, expect, test } from "vitest";
import vectors from "../../../vectors/status.json";
import { eventStatus, nextChangeMs, timerStepMs } from "./status";

describe("status.json", () => {
  for (const { name, now, status, ...times } of vectors) {
    test(name, () => expect(eventStatus(times, now)).toBe(status));
  }
});

test("the next change is the nearest moment in the future", () => {
  const times = { startTime: 100, freezeTime: 200, endTime: 300 };
  const changes = [0, 100, 199, 200, 299, 300].map((now) => nextChangeMs(times, now));
  expect(changes).toEqual([100, 200, 200, 300, 300, null]);
});

test("a delay beyond the timer's maximum is waited for in steps", () => {
  expect(timerStepMs(2_147_483_648 * 3, 0)).toBe(30_000);
  expect(timerStepMs(5000, 0)).toBe(5000);
  expect(timerStepMs(0, 5000)).toBe(0);
});
