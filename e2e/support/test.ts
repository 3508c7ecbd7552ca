// `test` with a running program: one for each configuration that a file asks for, stopped at the
// end. Every page is checked for complaints; the program's log is attached to every test that
// fails.

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
  /** The complaints of the test's pages; an unexpected one fails the test at its end. */
  complaints: Complaints;
  /** A page in a browser context of its own, with the same checks. */
  visitor: (baseURL?: string) => Promise<Page>;
  /** Starts a program for this test alone. */
  serve: (setup: Setup) => Promise<Program>;
  /** A new confirmed team of the file's program; `page` carries its cookie. */
  team: Team;
}

interface WorkerFixtures {
  /** The event's phase; a file changes it with `test.use({ phase: ... })`. */
  phase: Phase;
  /** A file that sets its name here does not share its program. */
  own: string;
  program: Program;
}

let teams = 0;

/** Creates a confirmed team, with a unique name unless one is given. */
export async function newTeam(program: Program, name?: string, country = "IT"): Promise<Team> {
  teams += 1;
  // The last word keeps the name apart from the score in a row's text.
  const own = name ?? `Crew ${process.pid}-${teams} on deck`;
  const email = `crew-${process.pid}-${teams}@example.org`;
  const tokens = await program.importTeams([{ name: own, email, country, password: "" }]);
  return { name: own, token: tokens.get(own) ?? "" };
}

/** Sets the team's cookie, as a login does. */
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
      await page.context().close();
    }
  },

  // `complaints` depends on this, so that pages are checked before their program stops.
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
