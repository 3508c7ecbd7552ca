// Filters and views of the organizers' lists: addresses, keyboard, and the first row on a phone.

import { enrol, invite } from "../support/organizer.ts";
import { expectSound } from "../support/page-checks.ts";
import type { Program } from "../support/program.ts";
import { expect, newTeam, test } from "../support/test.ts";

test.use({ own: "organize-filters" });

/** True once the teams of this program have played. */
let hasPlayed = false;

/** Sends flags of two teams: a near miss, an incorrect one, and two correct ones. */
async function play(program: Program): Promise<void> {
  if (hasPlayed) return;
  hasPlayed = true;
  const crows = await newTeam(program, "Crows");
  const rooks = await newTeam(program, "Rooks");
  const flag = (token: string, challengeId: string, text: string) =>
    program.call(token, "POST", "/solve", { challengeId, flag: text });
  await flag(crows.token, "welcome", "FLAG{W3LC0ME_AB0ARD}");
  await flag(rooks.token, "welcome", "flag{nothing_like_it}");
  await program.solve(crows.token, "welcome", "flag{w3lc0me_ab0ard}");
  await program.solve(rooks.token, "welcome", "flag{w3lc0me_ab0ard}");
  const question = { text: "Is the tide high?", challengeId: "welcome" };
  await program.call(crows.token, "POST", "/question", question);
}

test("views and filters have addresses, and work with the keyboard", async ({ page, program }) => {
  test.slow();
  await play(program);
  const { link } = await invite(program, "owner");
  await enrol(page, link);
  await expect(page.getByRole("heading", { level: 1, name: "Overview" })).toBeVisible();
  const rows = page.locator("[data-row]");
  const view = (name: string) => page.getByRole("link", { name, exact: true });

  // A view is an address. It survives a reload, and new rows that match appear in it.
  await page.goto(`${program.url}/organize/submissions`);
  await view("Near misses, 10 min").click();
  await expect(page).toHaveURL(/\/organize\/submissions\?near=any&since=10m$/);
  await expect(rows).toHaveText(["Crows"]);
  await page.reload();
  await expect(view("Near misses, 10 min")).toHaveAttribute("aria-current", "page");
  await expect(rows).toHaveText(["Crows"]);
  const owls = await newTeam(program, "Owls");
  const near = { challengeId: "welcome", flag: "Flag{w3lc0me_ab0ard}" };
  await program.call(owls.token, "POST", "/solve", near);
  await expect(rows).toHaveText(["Owls", "Crows"]);
  await view("First bloods").click();
  await expect(rows).toHaveText(["Crows"]);

  // Keyboard only: one filter is added and removed, and the search moves to the rows.
  await view("All").click();
  await page.keyboard.press("Shift+F");
  await expect(page.getByRole("menu", { name: "Filter" })).toBeVisible();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowRight");
  await expect(page.getByRole("menuitemradio", { name: "Correct", exact: true })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\?verdict=right$/);
  const chip = page.getByRole("button", { name: "Result is Correct", exact: true });
  await expectSound(page, "organize-filters");
  await chip.focus();
  await page.keyboard.press("Delete");
  await expect(chip).toHaveCount(0);
  await page.keyboard.press("/");
  await page.keyboard.type("rook");
  await expect(page).toHaveURL(/\?q=rook$/);
  await page.keyboard.press("Enter");
  await expect(rows.first()).toBeFocused();
  await page.reload();
  await expect(page.getByRole("searchbox")).toHaveValue("rook");

  // A view of one's own is kept in this browser.
  await page.getByRole("button", { name: "Save view" }).click();
  await page.getByLabel("Name of the view").fill("The rooks");
  await page.keyboard.press("Enter");
  await page.goto(`${program.url}/organize/submissions`);
  await view("The rooks").click();
  await expect(page).toHaveURL(/\/organize\/submissions\?q=rook$/);
});

test("the first row of each list is within the first screen of a phone", async ({
  page,
  program,
}) => {
  test.slow();
  await play(program);
  const { link } = await invite(program, "owner");
  await enrol(page, link);
  await expect(page.getByRole("heading", { level: 1, name: "Overview" })).toBeVisible();
  const phone = { width: 390, height: 844 };
  for (const path of ["challenges", "teams", "submissions", "messages", "audit-log"]) {
    await page.setViewportSize(phone);
    await page.goto(`${program.url}/organize/${path}`);
    const row = page.locator("[data-row]").first();
    await expect(row).toBeVisible();
    const box = await row.boundingBox();
    expect((box?.y ?? Number.NaN) + (box?.height ?? 0), path).toBeLessThan(450);
    await expectSound(page, `organize-${path}-phone`);
  }
  await page.setViewportSize(phone);
  await page.goto(`${program.url}/organize/submissions?verdict=wrong&near=any`);
  await page.getByRole("button", { name: "Filters (2)" }).click();
  const sheet = page.getByRole("dialog", { name: "Filters" });
  await sheet.getByLabel("Near miss").selectOption("");
  await expect(page).toHaveURL(/\?verdict=wrong$/);
  await sheet.getByRole("button", { name: /^Show results/ }).click();
  await expect(page.getByRole("button", { name: "Filters (1)" })).toBeVisible();
});
