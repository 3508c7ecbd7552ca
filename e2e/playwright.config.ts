// End-to-end tests: the program in the machine's own Chromium.

import { defineConfig } from "@playwright/test";

const root = process.getuid?.() === 0;

export default defineConfig({
  testDir: "tests",
  outputDir: "test-results/runs",
  workers: 2,
  // The summary lists a test that passes at its second try as "flaky"; such a test is fixed.
  retries: 1,
  timeout: 60_000,
  globalTimeout: 30 * 60_000,
  expect: { timeout: 10_000 },
  reporter: [["list"]],
  use: {
    actionTimeout: 15_000,
    locale: "en-GB",
    timezoneId: "UTC",
    // Recording costs a fifth of the time: `npm test -- --trace on` does it.
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
