// `test` with a running program: one for each phase a file asks for, stopped at the end.
// The program's own log is attached to every test that fails.

import { test as base, expect } from "@playwright/test";
import { type Phase, Program } from "./program.ts";

interface WorkerFixtures {
  /** The event's phase; a file changes it with `test.use({ phase: ... })`. */
  phase: Phase;
  program: Program;
}

export const test = base.extend<{ programLog: undefined }, WorkerFixtures>({
  phase: ["running", { option: true, scope: "worker" }],

  program: [
    async ({ phase }, use) => {
      const program = await Program.start(phase);
      await use(program);
      await program.stop();
    },
    { scope: "worker" },
  ],

  baseURL: async ({ program }, use) => use(program.url),

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
