// Screenshots, in the browser of the tests.

import { defineConfig } from "@playwright/test";
import tests from "../playwright.config.ts";

export default defineConfig({
  ...tests,
  testDir: ".",
  testMatch: ["screens.ts", "organize.ts", "ceremony.ts", "solve.ts"],
  outputDir: "../test-results/screenshots",
  timeout: 5 * 60_000,
  use: { ...tests.use, trace: "off", timezoneId: "Europe/Rome" },
});
