import { act, renderHook } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { useThrottled } from "./throttle";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test("the first value is shown at once, later ones at most once in an interval", () => {
  const initialProps: { value: string | null } = { value: null };
  const { result, rerender } = renderHook(({ value }) => useThrottled(value, 2000), {
    initialProps,
  });
  act(() => vi.advanceTimersByTime(300));
  rerender({ value: "first" });
  expect(result.current).toBe("first");
  rerender({ value: "second" });
  act(() => vi.advanceTimersByTime(1900));
  expect(result.current).toBe("first");
  rerender({ value: "third" });
  act(() => vi.advanceTimersByTime(100));
  expect(result.current).toBe("third");
});

test("a value after a quiet interval is shown at once", () => {
  const { result, rerender } = renderHook(({ value }) => useThrottled(value, 2000), {
    initialProps: { value: 1 },
  });
  rerender({ value: 2 });
  act(() => vi.advanceTimersByTime(5000));
  rerender({ value: 3 });
  expect(result.current).toBe(3);
});
