// The benchmark in the browser of the tests, alone and untraced by Playwright itself.

import { defineConfig } from "@playwright/test";
import tests from "../playwright.config.ts";

export default defineConfig({
  ...tests,
  testDir: ".",
  testMatch: /(board|organize)\.ts/,
  outputDir: "../test-results/bench",
  globalTimeout: 30 * 60_000,
  retries: 0,
  use: { ...tests.use, trace: "off" },
});
