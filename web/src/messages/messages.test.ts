/** Compares the languages, the texts fixed by the specification, and the server's sentences. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import description from "../../openapi.json";
import { COOKIE_REFUSED, SESSION_ENDED } from "../api/session";
import { en } from "./en";
import { it, SENTENCES } from "./it";
import { ERRORS } from "./it-errors";
import { organizeEn } from "./organize/en";
import { organizeIt } from "./organize/it";

const SERVER = join(process.cwd(), "../crates/flagship-server/src/api");
const CODES: string[] = description.components.schemas.Error.properties.code.enum;

/** Server sources of the API for players. */
const SOURCES = readdirSync(SERVER, { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".rs") && !/^organize\b/.test(file))
  .map((file) => readFileSync(join(SERVER, file), "utf8"));

/** The success sentences, including multi-line ones. */
function successes(): string[] {
  const sentence = /\b(?:Message \{\s*message:|const \w+: &str =)\s*"((?:[^"\\]|\\[\s\S])*[.!])"/g;
  return SOURCES.flatMap((text) => [...text.matchAll(sentence)]).map(([, found = ""]) =>
    found.replace(/\\\n\s*/g, ""),
  );
}

/** The error codes used in those sources. */
function namedCodes(): string[] {
  const catalogue = readFileSync(join(SERVER, "error.rs"), "utf8");
  const named = [...catalogue.matchAll(/(\w+) = \w+, "(\w+)"/g)];
  const codes = new Map(named.map(([, name = "", code = ""]) => [name, code]));
  const uses = SOURCES.flatMap((text) => [...text.matchAll(/\b(?:ApiError|Self)::([A-Z_]+)\b/g)]);
  return [...new Set(uses.flatMap(([, name = ""]) => codes.get(name) ?? []))];
}

test("every error code for players has an Italian text, and no other has one", () => {
  expect(CODES.length).toBeGreaterThan(35);
  expect(CODES).toContain("flag_too_fast");
  const forOrganizers = new Set(Object.keys(organizeIt.errors));
  const forPlayers = CODES.filter((code) => !forOrganizers.has(code));
  expect(Object.keys(ERRORS).sort()).toEqual(forPlayers.sort());
});

/** The paths of all texts, with their types. */
function keysOf(words: object, path = ""): string[] {
  return Object.entries(words).flatMap(([key, value]: [string, unknown]) =>
    typeof value === "object" && value !== null
      ? keysOf(value, `${path}${key}.`)
      : [`${path}${key}: ${typeof value}`],
  );
}

/** Drops errors, explanations and warnings, whose English texts come from the server. */
function ownTexts({ pages, ...words }: typeof organizeEn): object {
  const evidence = { ...pages.evidence, explanations: {} };
  const overview = { ...pages.overview, warnings: {} };
  return { ...words, errors: {}, pages: { ...pages, evidence, overview } };
}

test("organizers' texts have the same keys in both languages, and none is empty", () => {
  const english = keysOf(ownTexts(organizeEn));
  expect(english.length).toBeGreaterThan(80);
  expect(english).toContain("actions.organizer.add: string");
  expect(keysOf(ownTexts(organizeIt)).sort()).toEqual([...english].sort());
  expect(JSON.stringify([organizeEn, organizeIt])).not.toContain('""');
});

test("errors only for organizers have Italian texts", () => {
  const codes = Object.keys(organizeIt.errors);
  expect(codes).toContain("factor_needed");
  expect(codes).toContain("last_owner");
});

test("every warning of the server has an Italian text, with the same commands", () => {
  const source = readFileSync(join(SERVER, "../node/lists/health.rs"), "utf8");
  const [, list = ""] = source.match(/\nwarnings! \{([\s\S]*?)\n\}/) ?? [];
  const text = String.raw`"((?:[^"\\]|\\[\s\S])*)"`;
  const entry = new RegExp(`"(\\w+)", ${text},\\s+${text},`, "g");
  const warnings = [...list.replace(/\\\n\s*/g, "").matchAll(entry)];
  const { warnings: italian } = organizeIt.pages.overview;
  const commands = (of: string) => of.match(/`[^`]+`/g)?.sort();
  expect(warnings.length).toBeGreaterThan(10);
  expect(Object.keys(italian)).toEqual(warnings.map(([, code]) => code));
  for (const [, code = "", , cure = ""] of warnings) {
    expect(commands(italian[code]?.cure ?? ""), code).toEqual(commands(cure));
  }
});

test("the client's session messages have Italian texts", () => {
  for (const sentence of [COOKIE_REFUSED, SESSION_ENDED]) {
    expect(Object.hasOwn(SENTENCES, sentence), sentence).toBe(true);
  }
});

test("no error for players is listed only for organizers", () => {
  const codes = namedCodes();
  expect(codes).toContain("nothing_to_change");
  expect(codes.filter((code) => !Object.hasOwn(ERRORS, code))).toEqual([]);
});

test("every success sentence has an Italian text", () => {
  const found = successes();
  expect(found).toContain("Password changed. You can now log in.");
  const [stopped] = found.filter((sentence) => sentence.startsWith("The change was canceled, "));
  expect(stopped).toMatch(/ Set a new password now\.$/);
  expect(found.filter((sentence) => !Object.hasOwn(SENTENCES, sentence))).toEqual([]);
});

test("an error is translated by its code, regardless of its message", () => {
  const error = { code: "flag_too_fast", message: "Not so fast." };
  expect(it.translate(error)).toBe("Troppe flag sbagliate; prendi fiato e riprova.");
  expect(en.translate(error)).toBe("Not so fast.");
});

test("without a known code the message is looked up; an unknown one is shown verbatim", () => {
  const message = "error, API connection failed";
  expect(it.translate({ message })).toBe("errore, connessione all'API non riuscita");
  expect(it.translate({ message: "Bad gateway." })).toBe("Bad gateway.");
  for (const code of ["a_code_of_tomorrow", "constructor", ""]) {
    expect(it.translate({ code, message: "Something new." }), code).toBe("Something new.");
  }
  expect(it.translate({ message: "constructor" })).toBe("constructor");
});

test("a chunk's failure keeps its name", () => {
  const message = "Loading chunk rules failed";
  expect(it.translate({ message })).toBe("Caricamento del blocco rules non riuscito");
  expect(en.translate({ message })).toBe(message);
});

test("English has the exact texts of the specification", () => {
  const left = { days: 1, hours: 2, minutes: 3 };
  expect(en.home.timeLeft(left)).toBe("There are 1 days, 2 hours and 3 minutes left.");
  expect(en.home.play).toBe("Press play to compete.");
  expect(en.home.ended).toBe("The CTF has ended.");
  expect(en.challenges.hideCategories).toBe("Hide Categories");
  expect(en.challenges.flag).toBe("flag");
  expect(en.statusBanner).toEqual({
    unknown: null,
    not_started: "CTF not started",
    running: null,
    frozen: "Scoreboard frozen",
    ended: "CTF ended",
  });
});

test("Italian counts in Italian", () => {
  const one = { days: 1, hours: 1, minutes: 1 };
  expect(it.home.timeLeft(one)).toBe("Mancano 1 giorno, 1 ora e 1 minuto.");
  expect(it.challenges.solves(1)).toBe("1 soluzione");
  expect(it.board.teams(12_000)).toBe("12.000 squadre");
  expect(en.board.teams(12_000)).toBe("12,000 teams");
});
