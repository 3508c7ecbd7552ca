// The frame of the organizer pages: bar, rail, palette, and what a reload keeps.

import type { Page } from "@playwright/test";
import { enrol, invite } from "../support/organizer.ts";
import { expectSound, tooWidePx } from "../support/page-checks.ts";
import { expect, newTeam, test } from "../support/test.ts";

const WIDTHS = [390, 768, 1440, 2560] as const;
/** Smallest height and width of a target for a finger. */
const TARGET_PX_MIN = 44;

const rail = (page: Page) => page.getByRole("navigation", { name: "Organizer pages" });
const bar = (page: Page) => page.getByRole("region", { name: "The event" });
const field = (page: Page) =>
  page.getByRole("combobox", { name: "Page, team, challenge or action" });

test("one bar and the rail at four widths, in two languages, without overflow", async ({
  page,
  serve,
}) => {
  test.slow();
  const program = await serve({});
  const { name, link } = await invite(program, "owner");
  await enrol(page, link);
  for (const [at, width] of WIDTHS.entries()) {
    await page.setViewportSize({ width, height: 844 });
    await page.evaluate((it) => localStorage.setItem("language", it), at % 2 ? "it" : "en");
    await page.goto(`${program.url}/organize/teams`);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    const sticky = page
      .locator("section")
      .filter({ has: page.getByRole("timer") })
      .first();
    expect((await sticky.boundingBox())?.height, `height of the bar at ${width}`).toBe(48);
    expect(await tooWidePx(page), `overflow at ${width}`).toBeLessThanOrEqual(0);
    await expect(page.getByRole("navigation", { name: /^(Main|Principale)$/ })).toHaveCount(0);
    await expect(page.getByRole("contentinfo")).toHaveCount(0);
  }
  await page.evaluate(() => localStorage.setItem("language", "en"));
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`${program.url}/organize/teams`);
  const entries = rail(page).getByRole("listitem");
  await expect(entries.filter({ visible: true })).toHaveText([
    ...[/^Overview/, /^Challenges/, /^Teams/, /^Submissions/, "More"],
  ]);
  for (const entry of await entries.filter({ visible: true }).all()) {
    const box = await entry.boundingBox();
    expect(Math.min(box?.width ?? 0, box?.height ?? 0)).toBeGreaterThanOrEqual(48);
  }
  for (const button of await bar(page).getByRole("button").all()) {
    expect((await button.boundingBox())?.height).toBeGreaterThanOrEqual(36);
  }
  // The bottom bar stays in view, and its menu has the other pages.
  const bottom = await rail(page).boundingBox();
  expect((bottom?.y ?? 0) + (bottom?.height ?? 0)).toBeLessThanOrEqual(844);
  await rail(page).getByRole("button", { name: "More" }).click();
  await page.getByRole("menuitem", { name: "Audit log" }).click();
  await expect(page).toHaveURL(/\/organize\/audit-log$/);

  // The account menu has the preferences of the players' bar.
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.getByRole("button", { name: `Menu of ${name}` }).click();
  await expectSound(page, "organize-account-menu");
  await page.getByRole("menuitem", { name: /^Theme/ }).click();
  await page.getByRole("menuitemradio", { name: "Light" }).click();
  await expect(page.locator("html")).toHaveAttribute("data-theme", "light");
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
  await expect(page.getByRole("menu")).toHaveCount(0);
  await page.getByRole("button", { name: `Menu of ${name}` }).press("Enter");
  await page.getByRole("menuitem", { name: "View as player" }).press("Enter");
  await expect(page).toHaveURL(/\/$/);
  // The players' bar leads back.
  const main = page.getByRole("navigation", { name: "Main" });
  await main.getByRole("link", { name: "Organizers" }).first().click();
  await expect(bar(page)).toBeVisible();
});

test("the palette takes every letter, and finds IDs, settings and actions by plain words", async ({
  page,
  serve,
}) => {
  const program = await serve({});
  const { link } = await invite(program, "owner");
  await enrol(page, link);
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  // The keys follow each other without a pause.
  await page.keyboard.press("Control+k");
  await page.keyboard.type("welcome");
  await expect(field(page)).toHaveValue("welcome");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/organize\/challenges\?open=welcome$/);
  const found = [
    ["settings", /^Settings/],
    ["brand", /^Branding/],
    ["people", /^Organizers/],
    ["winners", /^Results/],
    ["smtp", /^Email/],
    ["backup", /^Download a backup/],
    ["import", /^Import teams/],
    ["token", /^Account/],
    ["test", /^Create test team/],
    ["ceremony", /^Ceremony/],
  ] as const;
  for (const [word, name] of found) {
    await page.keyboard.press("Control+k");
    await page.keyboard.type(word);
    await expect(page.getByRole("option", { name }).first(), word).toBeVisible();
    await page.keyboard.press("Escape");
  }
  await page.keyboard.press("Control+k");
  await expect(page.getByRole("group", { name: "Recent" }).getByRole("option")).toHaveCount(1);
  await page.keyboard.type("no such thing");
  const nothing = page.getByText(/^No results/);
  await expect(nothing).toBeVisible();
  const [at, said] = [await field(page).boundingBox(), await nothing.boundingBox()];
  const gap = (said?.y ?? 0) - ((at?.y ?? 0) + (at?.height ?? 0));
  expect(gap, "the empty state is beside the field").toBeLessThan(TARGET_PX_MIN);
  await expectSound(page, "palette-empty");
});

test("a reload and Back keep the scroll of the window; a link starts at the top", async ({
  page,
  serve,
}) => {
  const program = await serve({});
  for (let team = 0; team < 40; team += 1) await newTeam(program, `Crew number ${team}`);
  const { link } = await invite(program, "owner");
  await enrol(page, link);
  const scrollY = () => page.evaluate(() => Math.round(window.scrollY));
  const openTeams = () =>
    rail(page)
      .getByRole("link", { name: /^Teams/ })
      .click();
  await openTeams();
  await expect(page.getByRole("link", { name: "Crew number 0" })).toBeVisible();
  await page.evaluate(() => window.scrollTo(0, 700));
  await expect.poll(() => page.evaluate(() => sessionStorage.getItem("scroll"))).toContain("700");
  await page.reload();
  await expect.poll(scrollY).toBe(700);
  await rail(page)
    .getByRole("link", { name: /^Event/ })
    .click();
  await expect(page.getByRole("heading", { level: 1, name: "Event" })).toBeVisible();
  await expect.poll(scrollY).toBe(0);
  await page.goBack();
  await expect(page.getByRole("heading", { level: 1, name: "Teams" })).toBeVisible();
  await expect.poll(scrollY).toBe(700);
  await rail(page)
    .getByRole("link", { name: /^Event/ })
    .click();
  await expect(page.getByRole("heading", { level: 1, name: "Event" })).toBeVisible();
  await openTeams();
  await expect.poll(scrollY).toBe(0);
});
