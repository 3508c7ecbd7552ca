/** Display of flag formats, and detection of a missing wrapper. */
import { expect, test } from "vitest";
import { sampleFlag, shownFormat, wrapping } from "./flag-format";

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
  ["pier{...}", "sh4rk", "none"],
  ["pier{...}", "pier{sh4rk}", "whole"],
  ["pier{...}", " PIER{sh4rk} ", "whole"],
  ["pier{...}", "pier{sh4rk", "part"],
  ["pier{...}", "ctf{sh4rk}", "part"],
  ["pier{...}", "{sh4rk}", "part"],
  ["pier{...}", "pier{", "part"],
  ["aba...bab", "abab", "part"],
  ["FLAG-...", "sh4rk", "none"],
  ["FLAG-...", "flag-sh4rk", "whole"],
  ["...", "sh4rk", null],
  ["32 hex digits", "sh4rk", null],
  ["", "sh4rk", null],
  [null, "sh4rk", null],
])("%j: the flag %j has of the format: %j", (format, flag, part) => {
  expect(wrapping(format, flag)).toBe(part);
});

test.each([
  ["pier{...}", "pier{th1s_is_a_fl4g}"],
  ["FLAG-...", "FLAG-th1s_is_a_fl4g"],
  ["32 hex digits", null],
  ["", null],
])("%j: a sample is %j", (format, sample) => expect(sampleFlag(format)).toBe(sample));
