/** Views in the address. */
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

test("to another page goes only whose view it is", () => {
  expect(pageAddress("/organize/flags", undefined)).toBe("/organize/flags");
  expect(pageAddress("/organize/flags", "public", { team: "A" })).toBe(
    "/organize/flags?team=A&view=public",
  );
});
