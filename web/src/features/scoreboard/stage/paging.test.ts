/** The projector's pages advance automatically, and can be paused. */
import { act, cleanup, renderHook } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { ALTERNATE_MS, PAGE_MS, usePaging } from "./paging";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

const wait = () => act(() => vi.advanceTimersByTime(PAGE_MS));

test("they advance, and wrap around after the last", () => {
  const { result } = renderHook(() => usePaging(2));
  expect(result.current.page).toBe(1);
  wait();
  expect(result.current.page).toBe(2);
  wait();
  expect(result.current.page).toBe(1);
});

test("they stay while paused or held", () => {
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

test("manually they turn both ways and wrap around", () => {
  const { result } = renderHook(() => usePaging(3));
  act(() => result.current.turn(-1));
  expect(result.current.page).toBe(3);
  act(() => result.current.turn(1));
  expect(result.current.page).toBe(1);
});

test("with reduced motion they never advance automatically", () => {
  const still = { matches: true, addEventListener() {}, removeEventListener() {} };
  vi.stubGlobal("matchMedia", () => still);
  const { result } = renderHook(() => usePaging(3));
  expect(result.current.selfTurning).toBe(false);
  wait();
  expect(result.current.page).toBe(1);
});

test("with fewer pages than before, the last one is shown", () => {
  const { result, rerender } = renderHook(({ pages }) => usePaging(pages), {
    initialProps: { pages: 3 },
  });
  act(() => result.current.turn(-1));
  rerender({ pages: 2 });
  expect(result.current.page).toBe(2);
});

describe("the graph", () => {
  const alternate = () => act(() => vi.advanceTimersByTime(ALTERNATE_MS));

  test("alternates with the pages, which wait for it", () => {
    const { result } = renderHook(() => usePaging(5, true));
    alternate();
    expect(result.current.isGraph).toBe(true);
    const { page } = result.current;
    wait();
    expect(result.current.page).toBe(page);
    alternate();
    expect(result.current.isGraph).toBe(false);
  });

  test("alternates with a single page, too", () => {
    const { result } = renderHook(() => usePaging(1, true));
    expect(result.current.selfTurning).toBe(true);
    alternate();
    expect(result.current.isGraph).toBe(true);
  });

  test("comes only manually while paused, or with reduced motion", () => {
    const still = { matches: true, addEventListener() {}, removeEventListener() {} };
    const { result } = renderHook(() => usePaging(2, true));
    act(() => result.current.pause(true));
    alternate();
    expect(result.current.isGraph).toBe(false);
    act(() => result.current.showGraph(true));
    expect(result.current.isGraph).toBe(true);
    act(() => result.current.turn(1));
    expect(result.current.isGraph).toBe(false);
    vi.stubGlobal("matchMedia", () => still);
    const other = renderHook(() => usePaging(2, true));
    alternate();
    expect(other.result.current.isGraph).toBe(false);
  });

  test("is not shown without scores", () => {
    const { result } = renderHook(() => usePaging(2, false));
    alternate();
    expect(result.current.isGraph).toBe(false);
  });
});
