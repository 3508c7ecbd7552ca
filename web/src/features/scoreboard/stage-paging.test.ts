/** The projector's pages advance automatically, and can be paused. */
import { act, cleanup, renderHook } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { PAGE_MS, usePaging } from "./stage-paging";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

const wait = () => act(() => vi.advanceTimersByTime(PAGE_MS));

test("they turn, and begin again after the last", () => {
  const { result } = renderHook(() => usePaging(2));
  expect(result.current.page).toBe(1);
  wait();
  expect(result.current.page).toBe(2);
  wait();
  expect(result.current.page).toBe(1);
});

test("paused or held they stay", () => {
  const { result } = renderHook(() => usePaging(3));
  act(() => result.current.pause(true));
  wait();
  expect(result.current.page).toBe(1);
  act(() => result.current.pause(false));
  act(() => result.current.hold(true));
  wait();
  expect(result.current.page).toBe(1);
  act(() => result.current.hold(false));
  wait();
  expect(result.current.page).toBe(2);
});

test("by hand they turn both ways, around the ends", () => {
  const { result } = renderHook(() => usePaging(3));
  act(() => result.current.turn(-1));
  expect(result.current.page).toBe(3);
  act(() => result.current.turn(1));
  expect(result.current.page).toBe(1);
});

test("less motion: they never turn by themselves", () => {
  const still = { matches: true, addEventListener() {}, removeEventListener() {} };
  vi.stubGlobal("matchMedia", () => still);
  const { result } = renderHook(() => usePaging(3));
  expect(result.current.selfTurning).toBe(false);
  wait();
  expect(result.current.page).toBe(1);
});

test("fewer pages than before: the last is shown", () => {
  const { result, rerender } = renderHook(({ pages }) => usePaging(pages), {
    initialProps: { pages: 3 },
  });
  act(() => result.current.turn(-1));
  rerender({ pages: 2 });
  expect(result.current.page).toBe(2);
});
