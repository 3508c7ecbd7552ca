/** Read news is remembered across tabs, also with invalid or unavailable storage. */
import { act, cleanup, renderHook } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { see, useSeen } from "./seen";

const KEY = "seen news";

afterEach(() => {
  cleanup();
  localStorage.clear();
});

test("keys are stored without duplicates", () => {
  const { result } = renderHook(useSeen);
  expect([...result.current]).toEqual([]);
  act(() => see(["notice 1 5", "notice 2 5"]));
  act(() => see(["notice 2 5"]));
  expect([...result.current]).toEqual(["notice 1 5", "notice 2 5"]);
  expect(localStorage.getItem(KEY)).toBe('["notice 1 5","notice 2 5"]');
});

test("keys from other tabs are included", () => {
  const { result } = renderHook(useSeen);
  localStorage.setItem(KEY, '["banner 3 9"]');
  act(() => void window.dispatchEvent(new StorageEvent("storage", { key: KEY })));
  expect(result.current.has("banner 3 9")).toBe(true);
});

test("a value that is not a list of strings is ignored and replaced", () => {
  for (const text of ["{", '{"a":1}', "7", '[1,{"a":2}]']) {
    localStorage.setItem(KEY, text);
    const { result } = renderHook(useSeen);
    expect([...result.current], text).toEqual([]);
  }
  see(["notice 1 5"]);
  expect(localStorage.getItem(KEY)).toBe('["notice 1 5"]');
});

test("beyond the limit the oldest keys are dropped", () => {
  see(Array.from({ length: 1200 }, (_, index) => `notice ${index} 1`));
  const { result } = renderHook(useSeen);
  expect(result.current.size).toBe(1000);
  expect(result.current.has("notice 1199 1")).toBe(true);
  expect(result.current.has("notice 199 1")).toBe(false);
});

test("with full storage the keys last until the page is closed", () => {
  vi.spyOn(Storage.prototype, "setItem").mockImplementation(() => {
    throw new DOMException("full", "QuotaExceededError");
  });
  const { result } = renderHook(useSeen);
  act(() => see(["notice 7 7"]));
  expect(result.current.has("notice 7 7")).toBe(true);
});
