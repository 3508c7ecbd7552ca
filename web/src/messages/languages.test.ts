/**
 * Checks that each message file has every English text with its arguments, every plural form of its
 * language, and every sentence from the server.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse, type Token } from "@messageformat/parser";
import { describe, expect, test } from "vitest";
import type { Texts } from "../../tools/icu";
import { en } from "./en";
import { SENTENCES } from "./it";
import { ERRORS } from "./it-errors";
import { LANGUAGES } from "./language";
import type { MessageFile } from "./translate";

const ICU = join(process.cwd(), "src/messages/icu");
const CODES = readdirSync(ICU).map((file) => file.replace(/\.json$/, ""));
/** Matches a sentence of the example event. */
const NOT_OURS = /polito/;
/** Largest count shown on the site. */
const COUNT_MAX = 9999;

interface File {
  readonly locale: string;
  readonly errors: Readonly<Record<string, string>>;
  readonly sentences: Readonly<Record<string, string>>;
  readonly [key: string]: Texts;
}

function read(code: string): File {
  return JSON.parse(readFileSync(join(ICU, `${code}.json`), "utf8"));
}

const FORMS: Record<string, Intl.PluralRuleType> = { plural: "cardinal", selectordinal: "ordinal" };

/** Returns the argument names of a text and its missing plural forms. */
function inspect(tokens: readonly Token[], locale: string): { names: string[]; lacks: string[] } {
  const found = tokens.map((token) => {
    if (!("arg" in token)) return { names: [], lacks: [] };
    const inner = "cases" in token ? token.cases : [];
    const parts = inner.map((one) => inspect(one.tokens, locale));
    const keys = inner.map(({ key }) => key);
    const type = FORMS[token.type];
    const lacks = type ? formsOf(locale, type).filter((form) => !keys.includes(form)) : [];
    return {
      names: [token.arg, ...parts.flatMap(({ names }) => names)],
      lacks: [...lacks, ...parts.flatMap((part) => part.lacks)],
    };
  });
  return {
    names: [...new Set(found.flatMap(({ names }) => names))].sort(),
    lacks: found.flatMap(({ lacks }) => lacks),
  };
}

const forms = new Map<string, string[]>();

/** The plural forms that a language uses for the site's numbers. */
function formsOf(locale: string, type: Intl.PluralRuleType): string[] {
  const key = `${locale} ${type}`;
  const rules = new Intl.PluralRules(locale, { type });
  const known = forms.get(key) ?? [
    ...new Set(Array.from({ length: COUNT_MAX + 1 }, (_, number) => rules.select(number))),
  ];
  forms.set(key, known);
  return [...new Set([...known, "other"])];
}

/** All texts of a message file by path; a list counts as one. */
function leaves(texts: Texts, path = ""): [path: string, texts: string[]][] {
  if (texts === null) return [[path, []]];
  if (typeof texts === "string") return [[path, [texts]]];
  if (Array.isArray(texts)) return [[path, texts.filter((text) => typeof text === "string")]];
  return Object.entries(texts).flatMap(([key, value]) =>
    leaves(value, path ? `${path}.${key}` : key),
  );
}

/** The arguments of an English text: the members of its object argument, or their indexes. */
function argumentsOf(text: unknown): string[] {
  if (typeof text !== "function") return [];
  const members = /^\(\{([^}]*)\}\)/.exec(String(text))?.[1];
  if (members !== undefined)
    return members
      .split(",")
      .map((name) => name.trim())
      .filter(Boolean)
      .sort();
  return Array.from({ length: text.length }, (_, place) => String(place));
}

/** The paths of the English texts, with the arguments of each. */
function english(words: object, path = ""): [path: string, names: string[]][] {
  return Object.entries(words).flatMap(([key, value]: [string, unknown]) => {
    const own = path ? `${path}.${key}` : key;
    const isGroup = typeof value === "object" && value !== null && !Array.isArray(value);
    return isGroup ? english(value, own) : [[own, argumentsOf(value)]];
  });
}

const { translate: _, ...texts } = en;
const EXPECTED = new Map([...english(texts), ["chunkFailed", ["0"]]] as const);

test("every language has a name and a file, and English has arguments", () => {
  expect(Object.keys(LANGUAGES).sort()).toEqual([...CODES, "en", "it"].sort());
  expect(EXPECTED.get("home.timeLeft")).toEqual(["days", "hours", "minutes"]);
  expect(EXPECTED.get("board.valueColumn")).toEqual(["0", "1"]);
});

describe.each(CODES)("%s", (code) => {
  const { errors, sentences, ...rest } = read(code);
  const found = new Map(leaves(rest));

  test("has exactly the English texts", () => {
    expect([...found.keys()].sort()).toEqual([...EXPECTED.keys()].sort());
    for (const [path, parts] of found) for (const part of parts) expect(part, path).not.toBe("");
  });

  test("has the arguments of each text", () => {
    for (const [path, parts] of found) {
      const names = parts.flatMap((part) => inspect(parse(part), rest.locale).names);
      expect([...new Set(names)].sort(), path).toEqual(EXPECTED.get(path));
    }
  });

  test("covers the plural forms of the language", () => {
    for (const [path, parts] of found) {
      const lacks = parts.flatMap((part) => inspect(parse(part), rest.locale).lacks);
      expect(lacks, path).toEqual([]);
    }
  });

  test("translates every sentence of the server and of the client", () => {
    expect(Object.keys(errors).sort()).toEqual(Object.keys(ERRORS).sort());
    const ours = Object.keys(SENTENCES).filter((sentence) => !NOT_OURS.test(sentence));
    expect(Object.keys(sentences).sort()).toEqual(ours.sort());
    expect([...Object.values(errors), ...Object.values(sentences)]).not.toContain("");
  });
});

test("the checks find missing forms", () => {
  expect(inspect(parse("{0, plural, one {#} other {#}}"), "pl").lacks).toEqual(["many", "few"]);
  expect(inspect(parse("{0, select, null {x} other {{name}}}"), "en").names).toEqual(["0", "name"]);
});

test("compiled plurals follow the rules of the language", async () => {
  const files = import.meta.glob<{ messages: MessageFile }>("./icu/*.json");
  const load = async (code: string) => (await files[`./icu/${code}.json`]?.())?.messages;
  const [pl, ar, de] = await Promise.all(["pl", "ar", "de"].map(load));
  expect([1, 2, 5, 22, 112].map((number) => pl?.board.teams(number))).toEqual([
    "1 drużyna",
    "2 drużyny",
    "5 drużyn",
    "22 drużyny",
    "112 drużyn",
  ]);
  expect([1, 2, 3, 11, 100].map((number) => ar?.board.teams(number))).toEqual([
    "فريق واحد",
    "فريقان",
    "3 فرق",
    "11 فريقًا",
    "100 فريق",
  ]);
  expect(de?.board.teams(12_000)).toBe("12.000 Teams");
  expect(de?.home.timeLeft({ days: 1, hours: 2, minutes: 0 })).toBe(
    "Noch 1 Tag, 2 Stunden und 0 Minuten.",
  );
  expect(de?.board.valueColumn("Leuchtturm", 1)).toBe("Leuchtturm, 1 Punkt");
  expect(de?.statusBanner.running).toBeNull();
});
