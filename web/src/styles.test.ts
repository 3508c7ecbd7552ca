/** The rules of all style sheets: no side of the screen, and sizes of text from the scale. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const SRC = join(process.cwd(), "src");
const sheets = readdirSync(SRC, { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".css"))
  .map((file) => ({ file, text: readFileSync(join(SRC, file), "utf8") }));

/** The lines of a sheet that a test objects to. */
function wrong(text: string, isWrong: (property: string, value: string) => boolean): string[] {
  const declarations = text.matchAll(/(?<=[{;]\s*)([a-z-]+):\s*([^;{}]+);/g);
  return [...declarations]
    .filter(([, property = "", value = ""]) => isWrong(property, value))
    .map(([line]) => line);
}

/** The values of a shorthand, each function as one. */
function parts(value: string): string[] {
  return value.match(/(?:[^\s(]|\((?:[^()]|\([^()]*\))*\))+/g) ?? [];
}

/** Names the left or the right, where a language that is read from the right has the other one. */
function isPhysical(property: string, value: string): boolean {
  if (/(^|-)(left|right)(-|$)/.test(property)) return true;
  if (/^(text-align|float|clear)$/.test(property)) return /left|right/.test(value);
  if (!/^(margin|padding|inset|scroll-margin|border-width)$/.test(property)) return false;
  const [, end, , start] = parts(value);
  return start !== undefined && start !== end;
}

test("no sheet names the left or the right", () => {
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

test("sizes of text are those of the scale, or follow what is around them", () => {
  const isLoose = (property: string, value: string) =>
    property === "font-size" && /^[\d.]+(rem|px)$/.test(value);
  const found = sheets.flatMap(({ file, text }) =>
    wrong(text, isLoose).map((line) => `${file}: ${line}`),
  );
  expect(found).toEqual([]);
  expect(wrong("a { font-size: 0.8rem; }", isLoose)).toHaveLength(1);
});
