// End-to-end tests: the program in the machine's own Chromium.

import { defineConfig } from "@playwright/test";

const root = process.getuid?.() === 0;

export default defineConfig({
  testDir: "tests",
  outputDir: "test-results/runs",
  workers: 2,
  // A second try is told as "flaky" in the summary, and the test is mended.
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
