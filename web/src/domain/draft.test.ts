/** Drafts of forms and of challenges, on values that change below them. */
import { expect, test } from "vitest";
import { baseOf, bothOf, changedOf, type Draft, fresh, moved, savedOn, withPart } from "./draft";

interface Parts {
  readonly name: string;
  readonly author: string;
  readonly open: boolean;
  readonly flags: readonly { text: string; raw?: unknown }[];
}
const NOW: Parts = { name: "Crumbs", author: "", open: true, flags: [{ text: "a", raw: "a" }] };

const typed = (more: Partial<Parts>, on = NOW, before = fresh(on)) => {
  const { name, author, open, flags } = { ...baseOf(before, on), ...before.touched, ...more };
  let draft = withPart(before, on, "name", name);
  draft = withPart(draft, on, "author", author);
  draft = withPart(draft, on, "open", open);
  return withPart(draft, on, "flags", flags);
};
const valuesOf = (draft: Draft<Parts>, now: Parts) => ({ ...baseOf(draft, now), ...draft.touched });
const saved = (draft: Draft<Parts>, on = NOW) => savedOn(draft, valuesOf(draft, on), draft.on);

test("a part that is as it is without the draft is not touched", () => {
  const draft = typed({ name: "Mine" });
  expect(changedOf(draft)).toEqual(["name"]);
  expect(typed({ name: "Crumbs" }, NOW, draft)).toEqual(fresh(NOW));
  expect(changedOf(typed({ flags: [] }))).toEqual(["flags"]);
  expect(typed({ flags: [...NOW.flags] })).toEqual(fresh(NOW));
});

test("a part that is not there yet is empty", () => {
  const now: Readonly<Record<string, string | true>> = { status: "works" };
  const draft = withPart(fresh(now), now, "note", "down");
  expect(changedOf(draft)).toEqual(["note"]);
  expect(bothOf(moved(draft, { ...now, note: "up" }), { ...now, note: "up" })).toEqual(["note"]);
  expect(withPart(draft, now, "note", "")).toEqual(fresh(now));
});

test("what was not touched follows a colleague, what both changed is said and stays", () => {
  const draft = typed({ name: "Mine", open: false });
  expect(bothOf(draft, NOW)).toEqual([]);
  const theirs = { ...NOW, name: "Theirs", author: "You" };
  const on = moved(draft, theirs);
  expect(valuesOf(on, theirs)).toEqual({ ...theirs, name: "Mine", open: false });
  expect(bothOf(on, theirs)).toEqual(["name"]);
});

test("what both made the same is no conflict, and is not to be saved", () => {
  const same = { ...NOW, name: "Mine" };
  const draft = moved(typed({ name: "Mine", open: false }), same);
  expect(changedOf(draft)).toEqual(["open"]);
  expect(bothOf(draft, same)).toEqual([]);
  // It is theirs then: what they make of it next is followed.
  expect(valuesOf(moved(draft, NOW), NOW).name).toBe("Crumbs");
});

test("what both have changed is said until it is as theirs, also after a reload", () => {
  const two = { ...NOW, name: "Theirs" };
  const three = { ...two, author: "You" };
  const draft = moved(moved(typed({ name: "Mine", author: "Me" }), two), three);
  const back: Draft<Parts> = JSON.parse(JSON.stringify(draft));
  for (const one of [draft, back]) expect(bothOf(one, three)).toEqual(["name", "author"]);
  expect(bothOf(typed({ name: "Theirs" }, three, draft), three)).toEqual(["author"]);
  expect(bothOf(saved(draft, three), three)).toEqual([]);
});

test("what is typed between the save and the values that have it stays", () => {
  const draft = saved(typed({ author: "Ada ", open: false }));
  expect(changedOf(draft)).toEqual([]);
  const later = typed({ author: "Ada Love", flags: [] }, NOW, draft);
  const two = { ...NOW, author: "Ada", open: false };
  const on = moved(later, two);
  expect(valuesOf(on, two)).toEqual({ ...two, author: "Ada Love", flags: [] });
  expect(bothOf(on, two)).toEqual([]);
  // Until they are read, the values are what was saved.
  expect(changedOf(typed({ author: "Ada " }, NOW, later))).toEqual(["flags"]);
});

test("it stays too if the values were read before the answer to the save", () => {
  const first = typed({ author: "Ada" });
  const two = { ...NOW, author: "Ada" };
  const read = moved(typed({ flags: [] }, NOW, first), two);
  const on = moved(savedOn(read, valuesOf(first, NOW), first.on), two);
  expect(valuesOf(on, two)).toEqual({ ...two, flags: [] });
});

test("without more, values are taken as they were written, and nobody changed them", () => {
  const flags = [{ text: "two", raw: "a" }, { text: "b" }];
  const written = {
    ...NOW,
    name: "Crumbs 2",
    flags: flags.map(({ text }) => ({ text, raw: text })),
  };
  const draft = saved(typed({ flags, name: " Crumbs 2 " }));
  expect(moved(draft, written)).toEqual(fresh(written));
  const more = typed({ flags: [...flags, { text: "c" }] }, NOW, draft);
  expect(bothOf(moved(more, written), written)).toEqual([]);
});
