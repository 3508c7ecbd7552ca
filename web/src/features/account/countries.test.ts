/** The shared list of countries: complete, sorted, each with an image of its flag. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import countries from "../../../../vectors/countries.json";
import { flagEmoji } from "../../ui/flag/flag";

test("about 250 countries including EU, UN and XK, without duplicates", () => {
  const codes = countries.map(({ code }) => code);
  expect(codes.length).toBeGreaterThan(245);
  expect(codes).toEqual(expect.arrayContaining(["EU", "UN", "XK", "IT"]));
  expect(new Set(codes).size).toBe(codes.length);
});

test("sorted by name, the same by code point and by English collation", () => {
  const names = countries.map(({ name }) => name);
  expect([...names].sort()).toEqual(names);
  expect([...names].sort(new Intl.Collator("en").compare)).toEqual(names);
});

const sprite = readFileSync(join(process.cwd(), "src/ui/flag/flags.svg"), "utf8");

test("each has an emoji and a symbol in the sprite", () => {
  for (const { code, flag } of countries) {
    expect(flag).toBe(flagEmoji(code));
    const symbol = new RegExp(
      `<symbol id="${code.toLowerCase()}" viewBox="0 0 48 36">(.*)</symbol>`,
    );
    expect(symbol.exec(sprite)?.[1]?.length, code).toBeGreaterThan(50);
  }
});
