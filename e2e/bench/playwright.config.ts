// Benchmarks in the browser of the end-to-end tests, one at a time and without Playwright tracing.

import { defineConfig } from "@playwright/test";
import tests from "../playwright.config.ts";

export default defineConfig({
  ...tests,
  testDir: ".",
  testMatch: /(board|organize)\.ts/,
  outputDir: "../test-results/bench",
  globalTimeout: 30 * 60_000,
  retries: 0,
  workers: 1,
  use: { ...tests.use, trace: "off" },
});
