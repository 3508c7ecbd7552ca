/** Order of the palette's matches: names before IDs, beginnings before the rest. */
import { expect, test } from "vitest";
import { type Item, ranked } from "./items";

const item = (text: string, id?: string, words = ""): Item => ({
  key: text,
  text,
  words,
  page: "challenges",
  kind: "",
  run() {},
  ...(id && { id }),
});
const ITEMS = [
  item("Old wharf"),
  item("The Kernel"),
  item("Kern weather"),
  item("Ledger of the port", "harbour-ledger"),
  item("Harmony"),
  item("Straße am Meer"),
];
const found = (query: string) => ranked(ITEMS, query).map(({ text }) => text);

test("the start of a name is before the start of a word, an ID and any other part", () => {
  expect(found("kern")).toEqual(["Kern weather", "The Kernel"]);
  expect(found("har")).toEqual(["Harmony", "Ledger of the port", "Old wharf"]);
  expect(found("led")).toEqual(["Ledger of the port"]);
  expect(found("harbour-l")).toEqual(["Ledger of the port"]);
});

test("case, spaces around and Unicode forms do not matter", () => {
  expect(found("  STRASSE ")).toEqual(["Straße am Meer"]);
  expect(found("zz")).toEqual([]);
});

test("other words find an item after those with the word in the name", () => {
  const items = [
    item("Results", undefined, "winners ranking"),
    item("Winners of old"),
    item("All winners"),
  ];
  expect(ranked(items, "winn").map(({ text }) => text)).toEqual([
    "Winners of old",
    "All winners",
    "Results",
  ]);
  expect(ranked(items, "ing")).toEqual([]);
});
