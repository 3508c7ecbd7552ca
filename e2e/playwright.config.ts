// End-to-end tests of the program, in the system's Chromium.

import { defineConfig } from "@playwright/test";

const root = process.getuid?.() === 0;

export default defineConfig({
  testDir: "tests",
  outputDir: "test-results/runs",
  // Three leave two processors idle for a tenth of the time.
  workers: 3,
  // A test that passes on its second try is listed as flaky in the summary. It must be fixed.
  retries: 1,
  timeout: 60_000,
  globalTimeout: 30 * 60_000,
  expect: { timeout: 10_000 },
  reporter: [["list"]],
  use: {
    actionTimeout: 15_000,
    locale: "en-GB",
    timezoneId: "UTC",
    // Recording adds a fifth to the run time. Enable it with `npm test -- --trace on`.
    trace: "off",
    launchOptions: {
      executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
      chromiumSandbox: !root,
      args: [
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-gpu",
        "--disable-quic",
        "--disable-sync",
        "--no-first-run",
      ],
    },
  },
});
