/** Drafts of forms and challenges whose underlying values change. */
import { expect, test } from "vitest";
import {
  afterSave,
  baseOf,
  conflictsOf,
  type Draft,
  emptyDraft,
  rebased,
  touchedNames,
  withPart,
} from "./draft";

interface Parts {
  readonly name: string;
  readonly author: string;
  readonly open: boolean;
  readonly flags: readonly { text: string; raw?: unknown }[];
}
const NOW: Parts = { name: "Crumbs", author: "", open: true, flags: [{ text: "a", raw: "a" }] };

const typed = (more: Partial<Parts>, on = NOW, before = emptyDraft(on)) => {
  const { name, author, open, flags } = { ...baseOf(before, on), ...before.touched, ...more };
  let draft = withPart(before, on, "name", name);
  draft = withPart(draft, on, "author", author);
  draft = withPart(draft, on, "open", open);
  return withPart(draft, on, "flags", flags);
};
const valuesOf = (draft: Draft<Parts>, now: Parts) => ({ ...baseOf(draft, now), ...draft.touched });
const saved = (draft: Draft<Parts>, on = NOW) => afterSave(draft, valuesOf(draft, on), draft.on);

test("a part equal to the base value is not touched", () => {
  const draft = typed({ name: "Mine" });
  expect(touchedNames(draft)).toEqual(["name"]);
  expect(typed({ name: "Crumbs" }, NOW, draft)).toEqual(emptyDraft(NOW));
  expect(touchedNames(typed({ flags: [] }))).toEqual(["flags"]);
  expect(typed({ flags: [...NOW.flags] })).toEqual(emptyDraft(NOW));
});

test("a missing part is empty", () => {
  const now: Readonly<Record<string, string | true>> = { status: "works" };
  const draft = withPart(emptyDraft(now), now, "note", "down");
  expect(touchedNames(draft)).toEqual(["note"]);
  expect(conflictsOf(rebased(draft, { ...now, note: "up" }), { ...now, note: "up" })).toEqual([
    "note",
  ]);
  expect(withPart(draft, now, "note", "")).toEqual(emptyDraft(now));
});

test("untouched parts follow other edits; parts changed by both are reported and kept", () => {
  const draft = typed({ name: "Mine", open: false });
  expect(conflictsOf(draft, NOW)).toEqual([]);
  const theirs = { ...NOW, name: "Theirs", author: "You" };
  const on = rebased(draft, theirs);
  expect(valuesOf(on, theirs)).toEqual({ ...theirs, name: "Mine", open: false });
  expect(conflictsOf(on, theirs)).toEqual(["name"]);
});

test("the same change by both is not a conflict and needs no save", () => {
  const same = { ...NOW, name: "Mine" };
  const draft = rebased(typed({ name: "Mine", open: false }), same);
  expect(touchedNames(draft)).toEqual(["open"]);
  expect(conflictsOf(draft, same)).toEqual([]);
  // The part is now unedited, so later edits by others apply.
  expect(valuesOf(rebased(draft, NOW), NOW).name).toBe("Crumbs");
});

test("a conflict is reported until resolved, also after a reload", () => {
  const two = { ...NOW, name: "Theirs" };
  const three = { ...two, author: "You" };
  const draft = rebased(rebased(typed({ name: "Mine", author: "Me" }), two), three);
  const back: Draft<Parts> = JSON.parse(JSON.stringify(draft));
  for (const one of [draft, back]) expect(conflictsOf(one, three)).toEqual(["name", "author"]);
  expect(conflictsOf(typed({ name: "Theirs" }, three, draft), three)).toEqual(["author"]);
  expect(conflictsOf(saved(draft, three), three)).toEqual([]);
});

test("input typed between a save and the new values is kept", () => {
  const draft = saved(typed({ author: "Ada ", open: false }));
  expect(touchedNames(draft)).toEqual([]);
  const later = typed({ author: "Ada Love", flags: [] }, NOW, draft);
  const two = { ...NOW, author: "Ada", open: false };
  const on = rebased(later, two);
  expect(valuesOf(on, two)).toEqual({ ...two, author: "Ada Love", flags: [] });
  expect(conflictsOf(on, two)).toEqual([]);
  // Until the new values have been read, the saved values are the base.
  expect(touchedNames(typed({ author: "Ada " }, NOW, later))).toEqual(["flags"]);
});

test("input is also kept if the values arrive before the response to the save", () => {
  const first = typed({ author: "Ada" });
  const two = { ...NOW, author: "Ada" };
  const read = rebased(typed({ flags: [] }, NOW, first), two);
  const on = rebased(afterSave(read, valuesOf(first, NOW), first.on), two);
  expect(valuesOf(on, two)).toEqual({ ...two, flags: [] });
});

test("without other edits the saved values are used verbatim, without a conflict", () => {
  const flags = [{ text: "two", raw: "a" }, { text: "b" }];
  const written = {
    ...NOW,
    name: "Crumbs 2",
    flags: flags.map(({ text }) => ({ text, raw: text })),
  };
  const draft = saved(typed({ flags, name: " Crumbs 2 " }));
  expect(rebased(draft, written)).toEqual(emptyDraft(written));
  const more = typed({ flags: [...flags, { text: "c" }] }, NOW, draft);
  expect(conflictsOf(rebased(more, written), written)).toEqual([]);
});
