/** The shared list of countries: complete, sorted, each with an image of its flag. */
import { expect, test } from "vitest";
import countries from "../../../../vectors/countries.json";
import { flagEmoji } from "../../ui/flag/flag";
import { flagImages } from "../../ui/flag/flag-images";

test("about 250 countries, EU, UN and XK among them, none twice", () => {
  const codes = countries.map(({ code }) => code);
  expect(codes.length).toBeGreaterThan(245);
  expect(codes).toEqual(expect.arrayContaining(["EU", "UN", "XK", "IT"]));
  expect(new Set(codes).size).toBe(codes.length);
});

test("sorted by name, by code point and by an English reader alike", () => {
  const names = countries.map(({ name }) => name);
  expect([...names].sort()).toEqual(names);
  expect([...names].sort(new Intl.Collator("en").compare)).toEqual(names);
});

test("each has its emoji and its drawing", () => {
  for (const { code, flag } of countries) {
    expect(flag).toBe(flagEmoji(code));
    expect(flagImages[code.toLowerCase()], code).toBeTruthy();
  }
});
