// Playwright's `test` with a running program: one per configuration, stopped at the end. Every page
// is checked for complaints. Failed tests have the program's log attached.

import { test as base, expect, type Page } from "@playwright/test";
import { Complaints, watch } from "./page-watch.ts";
import { type Phase, Program, type Setup } from "./program.ts";

/** A confirmed team and its token. */
export interface Team {
  name: string;
  token: string;
}

interface Fixtures {
  programLog: undefined;
  /** Complaints of the test's pages; an unexpected one fails the test. */
  complaints: Complaints;
  /** Opens a page in a separate browser context with the same checks. */
  visitor: (baseURL?: string) => Promise<Page>;
  /** Starts a program for this test only. */
  serve: (setup: Setup) => Promise<Program>;
  /** A new confirmed team of the file's program; `page` has its cookie. */
  team: Team;
}

interface WorkerFixtures {
  /** Phase of the event. Change it with `test.use({ phase: ... })`. */
  phase: Phase;
  /** Name of a test file that needs its own program. */
  own: string;
  program: Program;
}

/** Ends the routes of a page: handlers that still wait for an answer must not fail a later test. */
async function endRoutes(page: Page): Promise<void> {
  if (!page.isClosed()) await page.unrouteAll({ behavior: "ignoreErrors" });
}

let teams = 0;

/** Creates a confirmed team, with a unique name unless one is given. */
export async function newTeam(program: Program, name?: string, country = "IT"): Promise<Team> {
  teams += 1;
  // The name ends with a word, which separates it from the score in a row's text.
  const own = name ?? `Crew ${process.pid}-${teams} on deck`;
  const email = `crew-${process.pid}-${teams}@example.org`;
  const tokens = await program.importTeams([{ name: own, email, country, password: "" }]);
  const token = tokens.get(own) ?? "";
  // The command line wrote the team; the server reads it a moment later.
  const shown = async () => (await (await program.call(token, "GET", "/ctf")).json()).loggedTeam;
  await expect.poll(shown).toBe(own);
  return { name: own, token };
}

/** Sets the team's cookie like a login. */
export async function enter(page: Page, program: Program, team: Team): Promise<void> {
  const cookie = { name: "apitoken", value: team.token, url: program.url };
  await page.context().addCookies([{ ...cookie, secure: true, sameSite: "Strict" }]);
}

export const test = base.extend<Fixtures, WorkerFixtures>({
  phase: ["running", { option: true, scope: "worker" }],

  own: ["", { option: true, scope: "worker" }],

  program: [
    async ({ phase, own: _ }, use) => {
      const program = await Program.start({ when: phase });
      await use(program);
      await program.stop();
    },
    { scope: "worker" },
  ],

  baseURL: async ({ program }, use) => use(program.url),

  complaints: [
    async ({ context, serve: _ }, use, info) => {
      const complaints = new Complaints();
      await watch(context, complaints);
      await use(complaints);
      for (const page of context.pages()) await endRoutes(page);
      if (info.status === info.expectedStatus) {
        expect(complaints.unexpected(), "the pages complained").toEqual([]);
      }
    },
    { auto: true },
  ],

  visitor: async ({ browser, baseURL, complaints }, use) => {
    const opened: Page[] = [];
    await use(async (other = baseURL ?? "") => {
      const context = await browser.newContext({ baseURL: other });
      await watch(context, complaints);
      const page = await context.newPage();
      opened.push(page);
      return page;
    });
    for (const page of opened) {
      await endRoutes(page);
      await page.context().close();
    }
  },

  // `complaints` depends on this fixture, so that pages are checked before their program stops.
  serve: async ({ browserName: _ }, use) => {
    const started: Program[] = [];
    await use(async (setup) => {
      const program = await Program.start(setup);
      started.push(program);
      return program;
    });
    for (const program of started) {
      await program.stop();
    }
  },

  team: async ({ page, program }, use) => {
    const team = await newTeam(program);
    await enter(page, program, team);
    await use(team);
  },

  programLog: [
    async ({ program }, use, info) => {
      await use(undefined);
      if (info.status !== info.expectedStatus) {
        await info.attach("flagship.log", { path: program.log, contentType: "text/plain" });
      }
    },
    { auto: true },
  ],
});

export { expect };
