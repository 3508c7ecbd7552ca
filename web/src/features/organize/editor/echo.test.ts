/** Detection of texts that the page echoes back to the field. */
import { expect, test } from "vitest";
import { echoes } from "./echo";

test("input is not written back to the field, however late the page renders it", () => {
  const echo = echoes();
  for (const text of ["a", "ab", "abc"]) echo.sent(text);
  expect(echo.isEcho("a")).toBe(true);
  // "ab" was never shown, because the page already had "abc".
  expect(echo.isEcho("abc")).toBe(true);
});

test("text from elsewhere is, even if it was typed before", () => {
  const echo = echoes();
  expect(echo.isEcho("theirs")).toBe(false);
  echo.sent("mine");
  expect(echo.isEcho("mine")).toBe(true);
  expect(echo.isEcho("theirs")).toBe(false);
  expect(echo.isEcho("mine")).toBe(false);
});
