/** Pennants: fixed designs, readable colors, an even distribution, and the drawing itself. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { render } from "@testing-library/react";
import { expect, test } from "vitest";
import { COLORS, GEOMETRIES, OUTLINES, PARTNERS, pathsOf, pennantOf } from "./design";
import { drawPennant, Pennant } from "./pennant";

const sheet = readFileSync(join(import.meta.dirname, "pennant.module.css"), "utf8");

/** The relative luminance of a color of the style sheet (WCAG 2). */
function luminanceOf(color: string): number {
  const [, hex = ""] = new RegExp(`\\.${color} \\{\\s*color: #(\\w{6})`).exec(sheet) ?? [];
  const [red = 0, green = 0, blue = 0] = [0, 2, 4].map((at) => {
    const share = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [low = 0, high = 0] = [luminanceOf(one), luminanceOf(other)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

test("a name always has the same pennant", () => {
  const text = (name: string) => Object.values(pennantOf(name)).filter(Boolean).join(" ");
  expect(text("Harbour Cats")).toBe("triangle saltire blue yellow");
  expect(text("فريق النور")).toBe("swallowtail bend white blue");
  expect(text("🐙🐙🐙")).toBe("swallowtail checks blue orange");
  expect(text("Third Mates")).toBe("burgee cross green yellow red");
  expect(text("Ants")).not.toBe(text("ants"));
});

test("colors that meet have a contrast of 3:1", () => {
  const meet = COLORS.flatMap((one) => PARTNERS[one].map((other) => ({ one, other })));
  expect(meet.length).toBeGreaterThan(24);
  for (const { one, other } of meet) {
    expect(contrast(one, other), `${one} ${other}`).toBeGreaterThanOrEqual(3);
    expect(PARTNERS[other], `${one} ${other}`).toContain(one);
  }
  expect(contrast("red", "blue")).toBeLessThan(3);
});

test("the outlines are those of the style sheet", () => {
  for (const [name, path] of Object.entries(OUTLINES)) {
    const [, polygon = ""] =
      new RegExp(`\\.${name} \\{\\s*clip-path: polygon\\((.*)\\)`).exec(sheet) ?? [];
    const points = polygon.split(", ").map((point) => {
      const [x = 0, y = 0] = point.split(" ").map((part) => Number.parseFloat(part));
      return [(x * 24) / 100, (y * 18) / 100];
    });
    let last = [0, 0];
    const drawn = [...path.matchAll(/([MLHV])([\d. ]+)/g)].map(([, command, text = ""]) => {
      const [one = 0, two = 0] = text.split(" ").map(Number);
      if (command === "H") last = [one, last[1] ?? 0];
      else last = command === "V" ? [last[0] ?? 0, one] : [one, two];
      return last;
    });
    expect(drawn.length, name).toBe(points.length);
    for (const [at, [x = 0, y = 0]] of drawn.entries()) {
      expect(points[at]?.[0], name).toBeCloseTo(x, 1);
      expect(points[at]?.[1], name).toBeCloseTo(y, 1);
    }
  }
});

// Names of real teams. A stranger's clone has none, and the tests are skipped.
const configured = process.env.FLAGSHIP_TEST_DATA;
const dataFolder = configured ?? join(process.cwd(), "../../shared/data");
const hasData = configured !== undefined || existsSync(join(dataFolder, "team-names.json"));
if (!hasData) {
  console.warn("NOT CHECKED: pennants of real teams: set FLAGSHIP_TEST_DATA to their folder");
}

/** Two thousand names of real teams, in the alphabetical order of the file. */
function realNames(): string[] {
  const text = readFileSync(join(dataFolder, "team-names.json"), "utf8");
  return JSON.parse(text)
    .map(({ name }: { name: string }) => name)
    .slice(0, 2000);
}

test.skipIf(!hasData)("real names use all designs about equally", () => {
  const designs = realNames().map(pennantOf);
  const shares = (values: readonly string[]) => {
    const counts = new Map<string, number>();
    for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
    return {
      kinds: counts.size,
      of: [...counts.values()].map((count) => (count * counts.size) / values.length),
    };
  };
  const expected = [
    { values: designs.map(({ outline }) => outline), kinds: Object.keys(OUTLINES).length },
    { values: designs.map(({ geometry }) => geometry), kinds: Object.keys(GEOMETRIES).length },
    { values: designs.map(({ field, charge }) => `${field} ${charge}`), kinds: 32 },
  ];
  for (const { values, kinds } of expected) {
    const found = shares(values);
    expect(found.kinds).toBe(kinds);
    expect(Math.min(...found.of)).toBeGreaterThan(0.6);
    expect(Math.max(...found.of)).toBeLessThan(1.5);
  }
});

test.skipIf(!hasData)("neighbors on a board look different", () => {
  const designs = realNames().map(pennantOf);
  const differences = designs.slice(1).map((design, at) => {
    const before = designs[at] ?? design;
    const colors = design.field !== before.field || design.charge !== before.charge;
    return (
      Number(design.outline !== before.outline) +
      Number(design.geometry !== before.geometry) +
      Number(colors)
    );
  });
  expect(differences.filter((count) => count >= 2).length / differences.length).toBeGreaterThan(
    0.95,
  );
  expect(differences.filter((count) => count === 0).length / differences.length).toBeLessThan(
    0.002,
  );
});

test("a pennant is decoration of a few paths, with or without React", () => {
  for (let number = 0; number < 200; number += 1) {
    const name = `Team ${number}`;
    const { container } = render(<Pennant name={name} size="medium" />);
    const [pennant] = container.children;
    expect(pennant?.getAttribute("aria-hidden")).toBe("true");
    expect(pennant?.children.length).toBe(pathsOf(pennantOf(name)).length);
    expect(pennant?.children.length).toBeLessThanOrEqual(3);
    expect(container.innerHTML).not.toContain("style=");
    const drawn = drawPennant(name, "medium");
    expect(drawn.getAttribute("class")).toBe(pennant?.getAttribute("class"));
    expect(drawn.innerHTML).toBe(pennant?.innerHTML);
  }
});
