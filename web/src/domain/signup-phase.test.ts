/** State of the signup over time. */
import { expect, test } from "vitest";
import { nextSignupChangeMs, signupPhase } from "./signup-phase";

test("the window has a first instant and an end that is not part of it", () => {
  const window = { open: true, opens: 100, closes: 200 };
  const phases = [99, 100, 199, 200].map((now) => signupPhase(window, now));
  expect(phases).toEqual(["notOpen", "open", "open", "closed"]);
  expect([99, 100, 200].map((now) => nextSignupChangeMs(window, now))).toEqual([100, 200, null]);
});

test("without times, the signup is open or closed for good", () => {
  expect(signupPhase({ open: true, opens: null, closes: null }, 0)).toBe("open");
  const closed = { open: false, opens: 100, closes: 200 };
  expect([50, 150].map((now) => signupPhase(closed, now))).toEqual(["closed", "closed"]);
  expect(nextSignupChangeMs(closed, 50)).toBeNull();
});
