// Lists of organizers: several rows at once, the row menu, the sticky head, and phones.

import type { Page } from "@playwright/test";
import { enrol, invite } from "../support/organizer.ts";
import { expect, test } from "../support/test.ts";

const TEAMS = Array.from({ length: 41 }, (_, at) => `Team ${String(at).padStart(2, "0")}`);
const PHONE = { width: 390, height: 844 };

async function confirm(page: Page, done: string | RegExp): Promise<void> {
  const button = page.getByRole("dialog").locator("button[type=submit]");
  await expect(button).toBeEnabled();
  await button.click();
  await expect(page.getByRole("status").getByText(done)).toBeVisible();
  await expect(page.getByRole("dialog")).toHaveCount(0);
}

test("40 teams are messaged and hidden in a dialog each, and stay selected over a reload", async ({
  page,
  serve,
}) => {
  test.slow();
  const program = await serve({ edit: (text) => text.replace('"altcha"', '"off"') });
  const rows = TEAMS.map((name) => {
    const email = `${name.replace(" ", "-").toLowerCase()}@example.org`;
    return { name, email, country: "IT", password: "" };
  });
  await program.importTeams(rows);
  await enrol(page, (await invite(program, "owner")).link);
  await page.goto(`${program.url}/organize/teams`);
  await page.getByRole("checkbox", { name: "Select Team 00" }).click();
  await page.getByRole("button", { name: "Select all 41" }).click();
  await expect(page.getByText("41 selected")).toBeVisible();
  await page.getByRole("checkbox", { name: "Select Team 00" }).click();
  await page.reload();
  await expect(page.getByText("40 selected")).toBeVisible();
  await page.getByRole("button", { name: /^Message 40 teams/ }).click();
  await page.getByRole("dialog").getByLabel("Text").fill("The bus leaves at nine.");
  await confirm(page, /40 teams/);

  await page.getByRole("checkbox", { name: "Select all" }).click();
  await page.getByRole("checkbox", { name: "Select Team 00" }).click();
  await page.getByRole("button", { name: /^Hide 40 teams/ }).click();
  await page.getByRole("dialog").getByLabel("Reason").fill("testers");
  await confirm(page, /40 teams/);
  const row = page.getByRole("row").filter({ hasText: "Team 01" });
  await expect(row.getByText("Hidden")).toBeVisible();
  const first = page.getByRole("row").filter({ hasText: "Team 00" });
  await expect(first.getByText("Active")).toBeVisible();

  // The head sticks below the bar.
  await page.setViewportSize({ width: 1440, height: 500 });
  await page.mouse.move(700, 300);
  await page.mouse.wheel(0, 700);
  const head = page.getByRole("columnheader", { name: "Team", exact: true });
  const bar = await page.getByRole("region", { name: "The event" }).boundingBox();
  await expect
    .poll(async () => (await head.boundingBox())?.y)
    .toBe((bar?.y ?? 0) + (bar?.height ?? 0));
});

test("a menu opens from its row, and phones show the first row at once", async ({
  page,
  serve,
}) => {
  const program = await serve({ edit: (text) => text.replace('"altcha"', '"off"') });
  await program.importTeams([
    { name: "Otters", email: "otters@example.org", country: "IT", password: "" },
  ]);
  await enrol(page, (await invite(program, "owner")).link);
  await page.goto(`${program.url}/organize/teams`);
  await expect(page.getByRole("link", { name: "Otters" })).toBeVisible();
  await page.keyboard.press("j");
  await page.keyboard.press(".");
  const menu = page.getByRole("menu", { name: "Actions for Otters" });
  await expect(menu.getByRole("menuitem").first()).toBeFocused();
  await page.keyboard.press("ArrowDown");
  await expect(menu.getByRole("menuitem").nth(1)).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("button", { name: "Actions for Otters" })).toBeFocused();

  await page.setViewportSize(PHONE);
  for (const path of ["challenges", "teams"]) {
    await page.goto(`${program.url}/organize/${path}`);
    const row = await page.locator("tbody tr").first().boundingBox();
    expect((row?.y ?? PHONE.height) + (row?.height ?? 0), path).toBeLessThan(600);
    const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(over, path).toBe(0);
  }
});
