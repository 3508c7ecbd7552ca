/** A category's sign depends only on its name, and the usual categories differ in shape. */
import { render } from "@testing-library/react";
import { expect, test } from "vitest";
import { CategorySign, hueOf } from "./category-sign";
import { signOf } from "./signs";

const MOST_USUAL = ["Web", "Crypto", "Pwn", "Rev", "Misc", "Forensics", "OSINT", "Hardware"];
const USUAL = [
  ...MOST_USUAL,
  ..."Stego,Blockchain,Mobile,Network,Programming,Warmup,AI,Cloud".split(","),
];

test("the usual categories have different shapes, and the most usual different colors", () => {
  expect(new Set(USUAL.map((name) => signOf(name).path)).size).toBe(USUAL.length);
  expect(new Set(MOST_USUAL.map(hueOf)).size).toBe(MOST_USUAL.length);
  for (const name of USUAL) expect(signOf(name.toUpperCase())).toEqual(signOf(name));
});

test("names of the same category have the same sign", () => {
  const same = [
    ["Rev", "Reversing", "Reverse Engineering"],
    ["Web", "Web Exploitation", "web-hard"],
    ["Pwn", "Binary Exploitation", "pwnable"],
    ["Crypto", "Cryptography", "Crypto (easy)"],
    ["Blockchain", "Web3", "Smart contracts"],
    ["Welcome", "Warm-up", "Sanity check"],
    ["Misc", "Miscellaneous", "General Skills"],
  ];
  for (const [first = "", ...others] of same) {
    for (const other of others) expect(signOf(other), other).toEqual(signOf(first));
  }
  expect(signOf("Email")).not.toEqual(signOf("AI"));
  expect(signOf("Prevention")).not.toEqual(signOf("Rev"));
});

test("any other name has a sign, whose hue is never that of a first blood", () => {
  const names = [
    "",
    "Ж",
    "🦊 fox",
    "a".repeat(500),
    ...Array.from({ length: 200 }, (_, n) => `${n}`),
  ];
  const signs = names.map(signOf);
  for (const { hue, path } of signs) {
    expect(path).toMatch(/^M/);
    expect(hue).toBeGreaterThanOrEqual(60);
    expect(hue).toBeLessThan(360);
  }
  expect(new Set(signs.map(({ path }) => path)).size).toBe(10);
  expect(new Set(signs.map(({ hue }) => hue)).size).toBe(10);
  expect(new Set(signs.map(({ hue, path }) => `${hue} ${path}`)).size).toBeGreaterThan(60);
});

test("a sign is decoration", () => {
  const { container } = render(<CategorySign category="Web" />);
  expect(container.firstElementChild?.getAttribute("aria-hidden")).toBe("true");
});
