/** The colour of a category depends on its name alone, and the usual ones differ. */
import { expect, test } from "vitest";
import { hueOf } from "./category-dot";

test("the usual categories have colours of their own", () => {
  const usual = ["Web", "Crypto", "Pwn", "Rev", "Misc", "Forensics", "OSINT", "Hardware"];
  expect(new Set(usual.map(hueOf)).size).toBe(usual.length);
  for (const name of usual) expect(hueOf(name.toUpperCase())).toBe(hueOf(name));
});

test("any name has one of the twelve hues of the sheet", () => {
  for (const name of ["", "Ж", "🦊 misc", "a".repeat(500)]) {
    expect(hueOf(name) % 30).toBe(0);
    expect(hueOf(name)).toBeLessThan(360);
  }
});
