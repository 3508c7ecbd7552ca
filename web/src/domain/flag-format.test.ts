/** How formats are shown, and which flags lack their wrapper. */
import { expect, test } from "vitest";
import { lacksWrapper, sampleFlag, shownFormat } from "./flag-format";

test.each([
  ["pier{...}", "pier{…}"],
  ["pier{…}", "pier{…}"],
  ["pier{some_text}", "pier{…}"],
  ["^pier\\{.+\\}$", "pier{…}"],
  ["FLAG-...", "FLAG-…"],
  ["32 hex digits", "32 hex digits"],
  ["sha256", "sha256"],
  ["", null],
  [null, null],
  [undefined, null],
])("%j is shown as %j", (format, shown) => expect(shownFormat(format)).toBe(shown));

test.each([
  ["pier{...}", "sh4rk", true],
  ["pier{...}", "pier{sh4rk}", false],
  ["pier{...}", "PIER{sh4rk}", false],
  ["pier{...}", "pier{sh4rk", false],
  // What has another wrapper, or half of it, is said to look like none, not to lack it.
  ["pier{...}", "ctf{sh4rk}", false],
  ["pier{...}", "{sh4rk}", false],
  ["FLAG-...", "sh4rk", true],
  ["FLAG-...", "flag-sh4rk", false],
  ["...", "sh4rk", false],
  ["32 hex digits", "sh4rk", false],
  ["", "sh4rk", false],
  [null, "sh4rk", false],
])("%j: the flag %j lacks its wrapper: %j", (format, flag, lacks) => {
  expect(lacksWrapper(format, flag)).toBe(lacks);
});

test.each([
  ["pier{...}", "pier{th1s_is_a_fl4g}"],
  ["FLAG-...", "FLAG-th1s_is_a_fl4g"],
  ["32 hex digits", null],
  ["", null],
])("%j: a sample is %j", (format, sample) => expect(sampleFlag(format)).toBe(sample));
