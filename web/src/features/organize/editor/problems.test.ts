/** Problems name the fields as the form does. */
import { expect, test } from "vitest";
import { editorEn } from "../../../messages/organize/editor-en";
import { faultAt, inWords } from "./problems";

test.each([
  [
    "`minimum` must be at most `initial`, which is 50",
    "“Fewest points” must be at most “Points of the first solve”, which is 50",
  ],
  ["`connection_info` is too long", "“Connection” is too long"],
  ["`flag_format` is one line", "“Flag format” is one line"],
  ["`extra.decay` is not used", "“Decay” is not used"],
  ["the file `a.txt` is `constructor`", "the file `a.txt` is `constructor`"],
  ["nothing between backticks", "nothing between backticks"],
])("%j is shown as %j", (message, shown) => {
  expect(inWords(message, editorEn.labels)).toBe(shown);
});

test("the errors of a field name the fields of the form", () => {
  const message = "`minimum` must be at most `initial`";
  const problem = { severity: "error", line: 4, key: "extra", message };
  expect(faultAt([problem], "scoring", editorEn.labels)).toMatch(/^“Fewest points” must/);
});
