/** A choice is kept, followed, and never something else than what can be chosen. */
import { act, renderHook } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { choosePreference, LETTER_KEYS, readPreference, THEME, usePreference } from "./preference";

afterEach(() => localStorage.clear());

test("without a choice, and with one that does not exist, the default counts", () => {
  expect(readPreference(THEME)).toBe("auto");
  localStorage.setItem("theme", "sepia");
  expect(readPreference(THEME)).toBe("auto");
});

test("a choice is kept, and whoever reads it follows, in another tab too", () => {
  const { result } = renderHook(() => usePreference(THEME));
  act(() => choosePreference(THEME, "dark"));
  expect(result.current).toBe("dark");
  expect(localStorage.getItem("theme")).toBe("dark");
  act(() => {
    localStorage.setItem("theme", "light");
    window.dispatchEvent(new StorageEvent("storage", { key: "theme" }));
  });
  expect(result.current).toBe("light");
});

test("where storage is forbidden a choice lasts as long as the page", () => {
  const forbid = () => {
    throw new DOMException("no storage", "SecurityError");
  };
  vi.spyOn(Storage.prototype, "setItem").mockImplementation(forbid);
  choosePreference(LETTER_KEYS, "off");
  expect(readPreference(LETTER_KEYS)).toBe("off");
  vi.restoreAllMocks();
  choosePreference(LETTER_KEYS, "on");
  expect(readPreference(LETTER_KEYS)).toBe("on");
});
