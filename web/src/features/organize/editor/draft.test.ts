/** The draft of a challenge, on files that change below it. */
import { expect, test } from "vitest";
import { bothOf, fresh, type Ground, moved, readDraft, savedOn } from "./draft";
import { EMPTY, type Form } from "./form";

const FLAG = { kind: "static", text: "flag{one}", raw: "flag{one}" };
const ground = (version: string, more: Partial<Form> = {}): Ground => ({
  form: { ...EMPTY, name: "Crumbs", flags: [FLAG], ...more },
  version,
});
const ONE = ground("one");
const typed = (more: Partial<Form>, on: Ground = ONE) => {
  return { ...fresh(on), form: { ...on.form, ...more } };
};

test("what is typed between the save and the file that has it stays", () => {
  const form = { ...ONE.form, author: "Ada ", position: "1" };
  const saved = savedOn(typed(form), "one", form);
  const later = { ...saved, form: { ...form, author: "Ada Love", solution: "here" } };
  const two = ground("two", { author: "Ada", position: "1" });
  const expected = { ...two.form, author: "Ada Love", solution: "here" };
  expect(moved(later, two)).toEqual({ ...fresh(two), form: expected });
});

test("it stays too if the file was read before the answer to the save", () => {
  const form = { ...ONE.form, author: "Ada" };
  const two = ground("two", { author: "Ada" });
  const read = moved(typed({ ...form, solution: "here" }), two);
  const expected = { ...two.form, solution: "here" };
  expect(savedOn(read, "one", form)).toEqual({ ...fresh(two), form: expected });
});

test("without more, the file is taken as it is, and nobody else has changed it", () => {
  const flags = [
    { ...FLAG, text: "flag{two}" },
    { kind: "any_case", text: "flag{b}" },
  ];
  const form = { ...ONE.form, flags, name: " Crumbs  2 " };
  const written = { type: "static", content: "flag{b}", data: "case_insensitive" };
  const two = ground("two", {
    name: "Crumbs  2",
    flags: [
      { kind: "static", text: "flag{two}", raw: "flag{two}" },
      { kind: "any_case", text: "flag{b}", raw: written },
    ],
  });
  const saved = savedOn(typed(form), "one", form);
  expect(moved(saved, two)).toEqual(fresh(two));
  const more = { ...saved, form: { ...form, flags: [...flags, { kind: "static", text: "c" }] } };
  expect(moved(more, two).both).toEqual([]);
});

test("a draft that is saved comes back from the tab's storage", () => {
  const form = { ...ONE.form, author: "Ada" };
  const draft = { ...savedOn(typed(form), "one", form), form: { ...form, solution: "here" } };
  expect(readDraft(JSON.parse(JSON.stringify(draft)))).toEqual(draft);
  for (const other of [null, {}, { ...draft, ground: null }]) expect(readDraft(other)).toBeNull();
});

test("what both have changed is said until it is as theirs, also after a reload", () => {
  const mine = typed({ name: "Mine", author: "Me" });
  const two = moved(mine, ground("two", { name: "Theirs" }));
  const three = moved(two, ground("three", { name: "Theirs", author: "You", solution: "x" }));
  const back = readDraft(JSON.parse(JSON.stringify({ ...three, both: ["x", ...three.both] })));
  for (const draft of [three, back]) expect(draft && bothOf(draft)).toEqual(["name", "author"]);
  const given = { ...three, form: { ...three.form, name: "Theirs" } };
  expect(bothOf(given)).toEqual(["author"]);
  expect(savedOn(three, "three", three.form).both).toEqual([]);
});
