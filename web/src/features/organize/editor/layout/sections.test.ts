/** Marks of the outline, and the order in which keys visit its sections. */
import { expect, test } from "vitest";
import { marksOf, nextSection, sectionsFor } from "./sections";

const found = (key: string | null, severity: string) => ({ key, severity, line: 1, message: "m" });
const NOTHING = { problems: [], changed: [], both: [] };

test("a section counts the problems of its fields, and those of the file are in the first", () => {
  const problems = [
    found("extra", "error"),
    found("value", "warning"),
    found("flags", "warning"),
    found(null, "error"),
  ];
  const counts = sectionsFor(true).map((name) => {
    const { errors, warnings } = marksOf(name, { ...NOTHING, problems });
    return [name, errors, warnings];
  });
  expect(counts.filter(([, errors, warnings]) => errors !== 0 || warnings !== 0)).toEqual([
    ["text", 1, 0],
    ["flags", 0, 1],
    ["scoring", 1, 1],
  ]);
});

test("a section is edited or in conflict with any of its fields", () => {
  const state = { ...NOTHING, changed: ["minimum", "files"], both: ["files"] };
  const edited = sectionsFor(true).filter((name) => marksOf(name, state).isEdited);
  expect(edited).toEqual(["files", "scoring"]);
  expect(marksOf("files", state).isInConflict).toBe(true);
  expect(marksOf("scoring", state).isInConflict).toBe(false);
});

test("keys visit the sections around, or only those with problems", () => {
  const names = sectionsFor(false);
  expect(names).toEqual(["text", "flags", "hints", "files", "solution"]);
  expect(nextSection(names, "solution", 1)).toBe("text");
  expect(nextSection(names, "text", -1)).toBe("solution");
  expect(nextSection(names, "flags", 1, (name) => name === "flags")).toBe("flags");
  expect(nextSection(names, "flags", 1, () => false)).toBeUndefined();
});
