/** Problem messages use the field names of the form. */
import { expect, test } from "vitest";
import { editorEn } from "../../../messages/organize/editor-en";
import { faultAt, inWords } from "./problems";

test.each([
  [
    "`minimum` must be at most `initial`, which is 50",
    "“Minimum value” must be at most “Initial value”, which is 50",
  ],
  ["`connection_info` is too long", "“Connection info” is too long"],
  ["`flag_format` is one line", "“Flag format” is one line"],
  ["`extra.decay` is not used", "“Decay” is not used"],
  ["the file `a.txt` is `constructor`", "the file `a.txt` is `constructor`"],
  ["nothing between backticks", "nothing between backticks"],
])("%j is shown as %j", (message, shown) => {
  expect(inWords(message, editorEn.labels)).toBe(shown);
});

test("field errors use the names of the form's fields", () => {
  const message = "`minimum` must be at most `initial`";
  const problem = { severity: "error", line: 4, key: "extra", message };
  expect(faultAt([problem], "scoring", editorEn.labels)).toMatch(/^“Minimum value” must/);
});
