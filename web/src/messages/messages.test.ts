/** The languages against each other, the quoted words, and the server's sentences. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { en } from "./en";
import { it, SENTENCES } from "./it";

const SERVER = join(process.cwd(), "../crates/flagship-server/src");

/** Every sentence that the server's sources hand to a client. */
function serverSentences(): string[] {
  return readdirSync(SERVER, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".rs"))
    .flatMap((file) => {
      const text = readFileSync(join(SERVER, file), "utf8");
      const inCatalogue = /[A-Z_]+ =\s+[A-Z_]+, "([^"]+)";/g;
      const asMessage = /\bmessage: "([^"]+)"/g;
      return [...text.matchAll(inCatalogue), ...text.matchAll(asMessage)];
    })
    .map(([, sentence = ""]) => sentence);
}

test("every sentence of the server has its Italian", () => {
  const sentences = serverSentences();
  expect(sentences.length).toBeGreaterThan(35);
  expect(sentences).toContain("Wrong team name or password.");
  expect(sentences.filter((sentence) => it.said(sentence) === sentence)).toEqual([]);
});

test("an unknown sentence is shown as it came, a chunk's failure keeps its name", () => {
  expect(it.said("Something new.")).toBe("Something new.");
  expect(it.said("Loading chunk rules failed")).toBe("Caricamento del blocco rules non riuscito");
  for (const sentence of Object.keys(SENTENCES)) expect(en.said(sentence)).toBe(sentence);
});

test("the quoted words stand in English as the description has them", () => {
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
