// The Event page of the organizers: forms that keep their input, checks, and the command line.

import type { Page } from "@playwright/test";
import { enrol, invite } from "../support/organizer.ts";
import { expectSound } from "../support/page-checks.ts";
import { expect, newTeam, test } from "../support/test.ts";

// Settings are changed, so the file needs its own program.
test.use({ own: "organize-event" });

const TABS = ["times", "settings", "texts", "brand", "results", "files", "people", "commands"];

test("each tab is sound on a phone, and in Italian on a wide screen", async ({ page, program }) => {
  test.slow();
  const { link } = await invite(program, "owner");
  await enrol(page, link);
  for (const [width, language] of [
    [390, "en"],
    [1440, "it"],
  ] as const) {
    await page.setViewportSize({ width, height: 844 });
    await page.evaluate((it) => localStorage.setItem("language", it), language);
    for (const tab of TABS) {
      await page.goto(`${program.url}/organize/event?tab=${tab}`);
      await expect(page.locator("main h2").first()).toBeVisible();
      await expectSound(page, `organize-event-${tab}-${width}`);
      const open = page.getByRole("navigation").locator(`a[href*="tab=${tab}"][aria-current=page]`);
      if (tab !== "times") await expect(open.first()).toBeInViewport();
    }
  }
});

/** Saves settings through the API, as a colleague in another tab. */
function saveSettings(page: Page, values: object): Promise<number> {
  return page.evaluate(async (values) => {
    const headers = { "Content-Type": "application/json", "X-Organize": "1" };
    const body = JSON.stringify({ action: "settings.set", section: "privacy", values });
    return (await fetch("/api/organize/actions", { method: "POST", headers, body })).status;
  }, values);
}

test("a form keeps its input over a reload, and names a colleague's change", async ({
  page,
  program,
  visitor,
}) => {
  const [{ link }, other] = [await invite(program, "owner"), await invite(program, "owner")];
  await page.setViewportSize({ width: 390, height: 844 });
  await enrol(page, link);
  const colleague = await visitor();
  await enrol(colleague, other.link);

  await page.goto(`${program.url}/organize/event?tab=settings`);
  const form = page.getByRole("form", { name: "Privacy" });
  const days = form.getByLabel(/^Days to keep/);
  const before = await days.inputValue();
  await days.fill("7");
  const count = form.getByText("1 unsaved change");
  await expect(count).toBeInViewport();
  // The foot covers neither the edited field nor its label.
  const [field, foot] = await Promise.all([days.boundingBox(), count.boundingBox()]);
  expect((field?.y ?? 0) + (field?.height ?? 0)).toBeLessThanOrEqual(foot?.y ?? 0);

  await page.reload();
  await expect(days).toHaveValue("7");
  expect(await saveSettings(colleague, { sightings_days: 14 })).toBe(200);
  await expect(form.getByText(new RegExp(`: ${before} → 14$`))).toBeVisible();
  await expect(days).toHaveValue("7");
  await form.getByRole("button", { name: "Discard changes" }).click();
  await expect(days).toHaveValue("14");
});

test("the branding says in words if a color can be seen", async ({ page, program }) => {
  const { link } = await invite(program, "organizer");
  await enrol(page, link);
  await page.goto(`${program.url}/organize/event?tab=brand`);
  const preview = page.getByRole("region", { name: "Live preview" });
  const accent = page.getByRole("textbox", { name: "Accent color", exact: true });
  await accent.fill("#ffcc00");
  await expect(preview.getByText("Light theme: contrast 1.3:1, too low")).toBeVisible();
  await expect(preview.getByText("Dark theme: contrast 12.9:1, easy to see")).toBeVisible();
  await accent.fill("#0077cc");
  await expect(preview.getByText(/^Light theme: contrast 4.\d:1, enough$/)).toBeVisible();
  await page.getByLabel("Tagline").fill("Mind the tide");
  await expect(preview.getByText("Mind the tide").first()).toBeVisible();
  // One is light and one is dark, whatever the theme of the page.
  const grounds = await preview
    .locator("figure > div > div")
    .evaluateAll((homes) => homes.map((home) => getComputedStyle(home).backgroundColor));
  expect(new Set(grounds).size).toBe(2);
});

test("the checks find the journal intact, and the standings are exported", async ({
  page,
  program,
}) => {
  await newTeam(program, "Otters");
  const { link } = await invite(program, "organizer");
  await enrol(page, link);
  await page.goto(`${program.url}/organize/event?tab=commands`);
  await page.getByRole("button", { name: "Run checks" }).click();
  const checks = page.getByRole("region", { name: "Checks" });
  await expect(checks.getByText(/^Journal: \d+ entries, hash chain intact$/)).toBeVisible();
  await expect(checks.getByText(/^Audit log: \d+ actions, not modified$/)).toBeVisible();
  await page.getByRole("link", { name: "Event › Results" }).first().click();
  const download = page.waitForEvent("download");
  await page.getByRole("link", { name: "Download Standings as XLSX" }).click();
  expect((await download).suggestedFilename()).toBe("standings.xlsx");
  // The event has no challenge with per-team flags.
  await expect(page.getByText("This challenge has no per-team flags.")).toBeVisible();
  await page.getByLabel("Format").last().selectOption("CSV");
  const table = page.waitForEvent("download");
  await page.getByRole("link", { name: "Download Standings as CSV" }).click();
  expect((await table).suggestedFilename()).toBe("standings.csv");
});

test("the command line lists every command that the program has", async ({ page, program }) => {
  const { link } = await invite(program, "organizer");
  await enrol(page, link);
  await page.goto(`${program.url}/organize/event?tab=commands`);
  const help = await program.command("--help");
  const names = [...help.matchAll(/^ {2}([a-z]+) {2,}/gm)].map(([, name]) => name);
  expect(names.length).toBeGreaterThan(20);
  for (const name of names.filter((one) => one !== "help")) {
    await expect(page.locator("main code", { hasText: `flagship ${name}` }).first()).toBeVisible();
  }
});
