import { expect, test } from "vitest";
import { riddleOf, rot13 } from "./riddle";

test("letters move by 13 in both cases, and twice gives the text back", () => {
  expect(rot13("Pier{set_s4il}")).toBe("Cvre{frg_f4vy}");
  expect(rot13(rot13("flag{Zz_4é🐙}"))).toBe("flag{Zz_4é🐙}");
});

test("the riddle has the event's format", () => {
  expect(riddleOf("pier{...}")).toEqual({ shown: "cvre{frg_f4vy}", answer: "pier{set_s4il}" });
  expect(riddleOf("^FLAG\\{.*\\}$").answer).toBe("FLAG{set_s4il}");
});

test.each([
  null,
  undefined,
  "",
  "Flags are hexadecimal numbers.",
  "^FLAG-[0-9a-f]{32}$",
  "(flag|FLAG){...}",
  "...",
  "a b{...}",
])("an unusual format %j gives a riddle without a wrapper", (format) => {
  expect(riddleOf(format)).toEqual({ shown: "frg_f4vy", answer: "set_s4il" });
});
