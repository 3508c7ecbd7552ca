/** Which texts of the page came from the field. */
import { expect, test } from "vitest";
import { echoes } from "./echo";

test("what was typed is not put into the field again, however late the page shows it", () => {
  const echo = echoes();
  for (const text of ["a", "ab", "abc"]) echo.sent(text);
  expect(echo.isEcho("a")).toBe(true);
  // "ab" was never shown: the page had "abc" by then.
  expect(echo.isEcho("abc")).toBe(true);
});

test("what comes from elsewhere is, also if it was typed once", () => {
  const echo = echoes();
  expect(echo.isEcho("theirs")).toBe(false);
  echo.sent("mine");
  expect(echo.isEcho("mine")).toBe(true);
  expect(echo.isEcho("theirs")).toBe(false);
  expect(echo.isEcho("mine")).toBe(false);
});
