/** The vectors of `status.json`, and the timers' arithmetic. */
import { describe, expect, test } from "vitest";
import vectors from "../../../vectors/status.json";
import {
  clockTargets,
  eventStatus,
  isBoardFrozen,
  nextChangeMs,
  shownStatus,
  timerStepMs,
} from "./status";

describe("status.json", () => {
  for (const { name, now, status, ...times } of vectors) {
    test(name, () => expect(eventStatus(times, now)).toBe(status));
  }
});

test("the board is frozen from the freeze to the reveal, which may be after the end", () => {
  const auto = { freezeTime: 200, revealAtEnd: true, revealed: false };
  const manual = { ...auto, revealAtEnd: false };
  const phases = ["not_started", "running", "frozen", "ended"] as const;
  const frozenIn = (times: typeof auto) => phases.filter((status) => isBoardFrozen(times, status));
  expect(frozenIn(auto)).toEqual(["frozen"]);
  expect(frozenIn(manual)).toEqual(["frozen", "ended"]);
  expect(frozenIn({ ...manual, revealed: true })).toEqual([]);
  const without = { revealAtEnd: false, revealed: false, freezeTime: null };
  expect(isBoardFrozen(without, "ended")).toBe(false);
});

test("an event that runs again after the reveal is shown as running, without a freeze", () => {
  const times = { startTime: 100, freezeTime: 200, endTime: 300, revealed: true };
  const shown = [99, 100, 200, 300].map((nowMs) => shownStatus(times, nowMs));
  expect(shown).toEqual(["not_started", "running", "running", "ended"]);
  expect(shownStatus({ ...times, revealed: false }, 200)).toBe("frozen");
  expect(clockTargets(times, "running")).toMatchObject({ endMs: 300, freezeMs: null });
});

test("the next change is the nearest moment in the future", () => {
  const times = { startTime: 100, freezeTime: 200, endTime: 300 };
  const changes = [0, 100, 199, 200, 299, 300].map((now) => nextChangeMs(times, now));
  expect(changes).toEqual([100, 200, 200, 300, 300, null]);
});

test("a delay beyond the timer's maximum is split into steps", () => {
  expect(timerStepMs(2_147_483_648 * 3, 0)).toBe(30_000);
  expect(timerStepMs(5000, 0)).toBe(5000);
  expect(timerStepMs(0, 5000)).toBe(0);
});

test("a clock counts down to the start, then to the end and the freeze, then to nothing", () => {
  const times = { startTime: 100, freezeTime: 200, endTime: 300, revealed: false };
  const at = (nowMs: number) => {
    const { startMs, endMs, freezeMs } = clockTargets(times, eventStatus(times, nowMs));
    return [startMs, endMs, freezeMs];
  };
  expect(at(99)).toEqual([100, null, null]);
  expect(at(100)).toEqual([null, 300, 200]);
  expect(at(200)).toEqual([null, 300, null]);
  expect(at(300)).toEqual([null, null, null]);
});
