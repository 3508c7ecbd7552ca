// The story test in engines other than Chromium, which `tests` covers.

import { defineConfig } from "@playwright/test";
import tests from "../playwright.config.ts";
import type { EngineOptions } from "./engine.ts";

export default defineConfig<EngineOptions>({
  testDir: ".",
  outputDir: "../test-results/engines",
  workers: 2,
  retries: tests.retries ?? 0,
  timeout: 60_000,
  globalTimeout: 3 * 60_000,
  expect: { timeout: 10_000 },
  reporter: tests.reporter ?? "list",
  projects: [
    { name: "Firefox", use: { engine: "Firefox" } },
    { name: "WebKit", use: { engine: "WebKit" } },
  ],
});
