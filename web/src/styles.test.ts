/**
 * Rules for all style sheets: no physical left or right, font sizes from the scale, and readable
 * colors for code.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const SRC = join(process.cwd(), "src");
const sheets = readdirSync(SRC, { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".css"))
  .map((file) => ({ file, text: readFileSync(join(SRC, file), "utf8") }));

/** The lines of a style sheet that break a rule. */
function wrong(text: string, isWrong: (property: string, value: string) => boolean): string[] {
  const declarations = text.matchAll(/(?<=[{;]\s*)([a-z-]+):\s*([^;{}]+);/g);
  return [...declarations]
    .filter(([, property = "", value = ""]) => isWrong(property, value))
    .map(([line]) => line);
}

/** Splits the values of a shorthand property, keeping functions whole. */
function parts(value: string): string[] {
  return value.match(/(?:[^\s(]|\((?:[^()]|\([^()]*\))*\))+/g) ?? [];
}

/** True if a declaration names left or right, which right-to-left languages swap. */
function isPhysical(property: string, value: string): boolean {
  if (/(^|-)(left|right)(-|$)/.test(property)) return true;
  if (/^(text-align|float|clear)$/.test(property)) return /left|right/.test(value);
  if (!/^(margin|padding|inset|scroll-margin|border-width)$/.test(property)) return false;
  const [, end, , start] = parts(value);
  return start !== undefined && start !== end;
}

test("no style sheet names left or right", () => {
  expect(sheets.length).toBeGreaterThan(30);
  const found = sheets.flatMap(({ file, text }) =>
    wrong(text, isPhysical).map((line) => `${file}: ${line}`),
  );
  expect(found).toEqual([]);
  const planted = "a { margin-left: 1px; border-right-width: 0; text-align: right; left: 0; }";
  expect(wrong(planted, isPhysical)).toHaveLength(4);
  expect(wrong("a { padding: 0 1px 0 calc(1px + 2px); }", isPhysical)).toHaveLength(1);
  const logical = "a { margin: 0 1px; padding: 1px 2px 3px 2px; text-align: start; }";
  expect(wrong(logical, isPhysical)).toEqual([]);
});

test("font sizes come from the scale or are relative", () => {
  const isLoose = (property: string, value: string) =>
    property === "font-size" && /^[\d.]+(rem|px)$/.test(value);
  const found = sheets.flatMap(({ file, text }) =>
    wrong(text, isLoose).map((line) => `${file}: ${line}`),
  );
  expect(found).toEqual([]);
  expect(wrong("a { font-size: 0.8rem; }", isLoose)).toHaveLength(1);
});

const tokens = readFileSync(join(SRC, "ui/tokens.css"), "utf8");

/** A token's color in the light and the dark theme. */
function colorsOf(token: string): readonly [string, string] {
  const [, value = ""] = new RegExp(`${token}:\\s*([^;]+);`).exec(tokens) ?? [];
  const [, other] = /^var\((--[\w-]+)\)$/.exec(value) ?? [];
  if (other) return colorsOf(other);
  const [, light = "", dark = ""] = /^light-dark\((#\w{6}), (#\w{6})\)$/.exec(value) ?? [];
  return [light, dark];
}

/** The relative luminance of `#rrggbb` (WCAG 2). */
function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((place) => {
    const share = Number.parseInt(color.slice(place, place + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [low = 0, high = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

test("the colors of code have a contrast of 4.5 in both themes", () => {
  const names = [...tokens.matchAll(/(--hl-\w+):/g)].map(([, name = ""]) => name);
  expect(names).toHaveLength(6);
  const backgrounds = colorsOf("--code");
  for (const name of names) {
    const shades = colorsOf(name);
    const ratios = shades.map((shade, index) => contrast(shade, backgrounds[index] ?? ""));
    expect(Math.min(...ratios), name).toBeGreaterThanOrEqual(4.5);
  }
  expect(contrast("#777777", "#ffffff")).toBeCloseTo(4.478, 3);
});
