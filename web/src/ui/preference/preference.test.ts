/** Preferences are stored, propagated, and restricted to valid choices. */
import { act, renderHook } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { choosePreference, LETTER_KEYS, readPreference, THEME, usePreference } from "./preference";

afterEach(() => localStorage.clear());

test("without a choice, or with an unknown one, the default applies", () => {
  expect(readPreference(THEME)).toBe("auto");
  localStorage.setItem("theme", "sepia");
  expect(readPreference(THEME)).toBe("auto");
});

test("a choice is stored, and readers update, also in other tabs", () => {
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

test("without storage a choice lasts as long as the page", () => {
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
