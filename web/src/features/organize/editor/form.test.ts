/** Form values read from a file, and the keys that an edit writes. */
import { describe, expect, test } from "vitest";
import { idFor } from "../challenges/actions";
import { changedFields, EMPTY, type Form, formOf, newFields } from "./form";

const AT = "2030-01-01T10:00:00Z";
const FIELDS = {
  name: "One",
  category: "web",
  categories: ["pwn"],
  description: "Read *this*.\n",
  type: "dynamic",
  extra: { initial: 500, minimum: 50, function: "log" },
  scoring: { decay: 10 },
  flags: [
    "flag{one}",
    { type: "static", content: "flag{ANY}", data: "case_insensitive" },
    { type: "regex", content: "f[0-9]+" },
    { type: "team", content: "flag{[TEAM]}" },
  ],
  hints: ["Look.", { id: "b", content: "Look **there**.", at: AT, title: "x" }],
  files: ["dist/a.zip"],
  requirements: { prerequisites: ["Two", "three"], anonymize: true },
  connection_info: "nc host 1",
  position: 3,
  unknown: { kept: true },
};
const OTHERS = [
  { id: "two", challengeName: "Two" },
  { id: "three", challengeName: "Three" },
];
const KNOWN = [{ name: "dist/a.zip", digest: "ab", bytes: 7 }];
const BASE = formOf(FIELDS, KNOWN, OTHERS);
const edited = (more: Partial<Form>) => changedFields({ ...BASE, ...more }, BASE, FIELDS);

test("the form has the values of the file", () => {
  expect(BASE).toMatchObject({
    category: "web, pwn",
    initial: "500",
    decay: "10",
    requirements: ["two", "three"],
    files: [{ name: "dist/a.zip", digest: "ab", bytes: 7, isNew: false }],
  });
  expect(BASE.flags.map(({ kind }) => kind)).toEqual(["static", "any_case", "regex", "team"]);
  expect(BASE.hints.map(({ at }) => at === "")).toEqual([true, false]);
});

describe("an edit writes", () => {
  test("nothing that is unchanged", () => {
    expect(edited({})).toEqual({});
  });
  test("one key, keeping its other members", () => {
    expect(edited({ initial: "400" })).toEqual({
      extra: { initial: 400, minimum: 50, function: "log" },
    });
    expect(edited({ requirements: ["two"] })).toEqual({
      requirements: { prerequisites: ["two"], anonymize: true },
    });
  });
  test("flags and hints, keeping their other keys", () => {
    const flags = BASE.flags.map((flag, at) => (at === 0 ? { ...flag, text: "flag{uno}" } : flag));
    expect(edited({ flags })).toEqual({ flags: ["flag{uno}", ...FIELDS.flags.slice(1)] });
    const [first, second] = BASE.hints;
    const hints = first && second ? [first, { ...second, text: "Here." }] : [];
    expect(edited({ hints })).toEqual({
      hints: ["Look.", { id: "b", content: "Here.", at: AT, title: "x" }],
    });
  });

  test("cost, key and requirements of hints", () => {
    const [first, second] = BASE.hints;
    if (!first || !second) throw new Error("two hints");
    const paid = { ...first, cost: "25", key: "a" };
    const after = { ...second, title: "", key: "c", after: "a, d" };
    expect(edited({ hints: [paid, after] })).toEqual({
      hints: [
        { cost: 25, key: "a", content: "Look." },
        { key: "c", content: "Look **there**.", at: AT, requirements: ["a", "d"] },
      ],
    });
    const fields = { content: "x", cost: 5, requirements: { prerequisites: ["a"] } };
    const again = formOf({ hints: [fields] }, KNOWN, OTHERS);
    expect(again.hints[0]).toMatchObject({ text: "x", cost: "5", key: "", after: "a" });
  });

  test("null for emptied fields, and a new file by its digest", () => {
    expect(edited({ connection: " ", position: "", files: [] })).toEqual({
      connection_info: null,
      position: null,
      files: null,
    });
    const files = [{ name: "b.zip", digest: "cd", bytes: 1, isNew: true }];
    expect(edited({ files })).toEqual({ files: [{ name: "b.zip", digest: "cd" }] });
  });
  test("files with a copy for each team as mappings", () => {
    const file = { digest: "cd", bytes: 1, isPerTeam: true };
    const files = [
      { ...file, name: "b.zip", isNew: true },
      { ...file, name: "dist/a.zip", isNew: false },
    ];
    const written = [
      { name: "b.zip", digest: "cd", per_team: true },
      { path: "dist/a.zip", per_team: true },
    ];
    expect(edited({ files })).toEqual({ files: written });
    const again = formOf({ files: written.slice(1) }, KNOWN, OTHERS);
    expect(again.files).toEqual([
      { name: "dist/a.zip", digest: "ab", bytes: 7, isNew: false, isPerTeam: true },
    ]);
  });
  test("the flag format as one line", () => {
    expect(edited({ flagFormat: " pier{...} " })).toEqual({ flag_format: "pier{...}" });
    expect(formOf({ flag_format: "a city" }, [], []).flagFormat).toBe("a city");
  });
  test("rules and labels", () => {
    const before = { logic: "ALL", attempts: 3, tags: "easy", author: ["Ada", "Bob"] };
    const base = formOf(before, [], []);
    const write = (more: Partial<Form>) => changedFields({ ...base, ...more }, base, before);
    expect(base).toMatchObject({ logic: "all", attempts: "3", tags: "easy", author: "Ada, Bob" });
    expect(write({})).toEqual({});
    expect(write({ logic: "any", attempts: "" })).toEqual({ logic: null, attempts: null });
    expect(write({ tags: "easy, web ", difficulty: " hard" })).toEqual({
      tags: ["easy", "web"],
      difficulty: "hard",
    });
    expect(write({ tags: "", attribution: "By *Ada*" })).toEqual({
      tags: null,
      attribution: "By *Ada*",
    });
  });
  test("invalid numbers unchanged, for the server to reject", () => {
    expect(edited({ position: "many" })).toEqual({ position: "many" });
  });
  test("a new scoring type without the keys of the previous one", () => {
    expect(edited({ type: "speedrun", values: "100, 50" })).toEqual({
      type: "speedrun",
      extra: { values: [100, 50] },
      scoring: null,
    });
    expect(edited({ type: "standard", value: "70" })).toEqual({
      type: "standard",
      value: 70,
      extra: null,
      scoring: null,
    });
  });
});

describe("an edit writes both category keys, whichever the file uses", () => {
  test.each([
    [{ category: "web" }, "web"],
    [{ category: ["web"] }, "web"],
    [{ category: "web", categories: ["pwn"] }, "web, pwn"],
    [{ categories: ["web", "pwn"] }, "web, pwn"],
    [{ categories: "web" }, "web"],
    [{ category: ["web", "pwn"] }, "web, pwn"],
    [{ category: ["web", "pwn"], categories: ["misc"] }, "web, pwn, misc"],
    [{}, ""],
  ])("%j", (fields, shown) => {
    const base = formOf(fields, [], []);
    const write = (category: string) => changedFields({ ...base, category }, base, fields);
    expect(base.category).toBe(shown);
    expect(write(` ${shown},`)).toEqual({});
    expect(write("web, rev")).toEqual({ category: "web", categories: ["rev"] });
    expect(write("rev")).toEqual({ category: "rev", categories: null });
    expect(write("rev,web, pwn")).toEqual({ category: "rev", categories: ["web", "pwn"] });
    if (shown !== "") expect(write(" ")).toEqual({ category: null, categories: null });
  });
});

test("a new challenge has only non-empty keys", () => {
  const form = { ...EMPTY, name: " New ", flags: [{ kind: "decoy", text: "flag{no}" }] };
  expect(newFields(form)).toEqual({
    name: "New",
    description: "",
    type: "dynamic",
    flags: [{ type: "decoy", content: "flag{no}" }],
  });
});

test.each([
  ["Follow the Crumbs!", "follow-the-crumbs"],
  ["  Perché no? ", "perche-no"],
  ["漢字", ""],
])("%s gets the id %s", (name, id) => expect(idFor(name)).toBe(id));
