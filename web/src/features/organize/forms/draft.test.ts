/** The draft of a form, without the page. */
import { expect, test } from "vitest";
import { bothOf, changedOf, type Draft, NONE, readDraft, settled, withPart } from "./draft";

const NOW = { banner: "Hi", open: true, links: [{ name: "Blog", link: "https://a.example" }] };

test("a part that is as it is now is not touched", () => {
  const typed = withPart(NONE, NOW, "banner", "Hello");
  expect(changedOf(typed, NOW)).toEqual(["banner"]);
  expect(withPart(typed, NOW, "banner", "Hi")).toEqual(NONE);
  const rows = withPart(NONE, NOW, "links", []);
  expect(changedOf(rows, NOW)).toEqual(["links"]);
  expect(changedOf(withPart(rows, NOW, "links", [...NOW.links]), NOW)).toEqual([]);
});

test("parts that a colleague changed are theirs, unless they were touched too", () => {
  const typed = withPart(withPart(NONE, NOW, "banner", "Mine"), NOW, "open", false);
  expect(bothOf(typed, NOW)).toEqual([]);
  const theirs = { ...NOW, banner: "Theirs", links: [] };
  expect(bothOf(typed, theirs)).toEqual(["banner"]);
  expect(changedOf(typed, theirs)).toEqual(["banner", "open"]);
  // What both made the same is no conflict, and is not to be saved.
  expect(changedOf(typed, { ...NOW, banner: "Mine" })).toEqual(["open"]);
  expect(bothOf(typed, { ...NOW, banner: "Mine" })).toEqual([]);
});

test("once what was saved is read again, what was typed since stays", () => {
  const typed = withPart(withPart(NONE, NOW, "banner", " Saved "), NOW, "open", false);
  const saved: Draft = { ...typed, saved: { values: typed.touched, on: "before" } };
  const now = { ...NOW, banner: "Saved", open: false };
  expect(settled(saved, now)).toEqual(NONE);
  const later = settled(withPart(saved, NOW, "banner", "More"), now);
  expect(changedOf(later, now)).toEqual(["banner"]);
  expect(bothOf(later, now)).toEqual([]);
});

test("a draft comes back from the storage, without what is none of one", () => {
  const typed = withPart(withPart(NONE, NOW, "links", [{ name: "x" }]), NOW, "open", false);
  expect(readDraft(JSON.parse(JSON.stringify(typed)))).toEqual(typed);
  const odd = { touched: { banner: 1, links: [{ name: 2 }], open: "x" }, over: [] };
  expect(readDraft(odd)).toEqual({ touched: { open: "x" }, over: {} });
  expect(readDraft(null)).toEqual(NONE);
});
