/** View state in the URL. */
import { expect, test } from "vitest";
import { pageAddress, withChanges } from "./view";

test.each([
  ["", {}, ""],
  ["", { q: "otters" }, "?q=otters"],
  ["?q=otters&team=A", { team: undefined }, "?q=otters"],
  ["?q=otters", { q: "" }, ""],
  ["?q=a", { q: "b", view: "public" }, "?q=b&view=public"],
  ["?view=public", { team: "a&b=c#d?" }, "?view=public&team=a%26b%3Dc%23d%3F"],
])("%s with %j is %s", (search, changes, expected) => {
  expect(withChanges(search, changes)).toBe(expected);
});

test("links to other pages keep only the public view", () => {
  expect(pageAddress("/organize/submissions", undefined)).toBe("/organize/submissions");
  expect(pageAddress("/organize/submissions", "public", { team: "A" })).toBe(
    "/organize/submissions?team=A&view=public",
  );
});
