// The challenge editor: from an empty form to a challenge that a player solves.

import type { Page } from "@playwright/test";
import { enrol, invite } from "../support/organizer.ts";
import { expectSound } from "../support/page-checks.ts";
import { card } from "../support/player.ts";
import type { Program } from "../support/program.ts";
import { enter, expect, newTeam, test } from "../support/test.ts";

test.use({ own: "organize-editor" });

test("a challenge with attachment, flag and hint is created, released and solved", async ({
  page,
  program,
  visitor,
}) => {
  test.slow();
  const { link } = await invite(program, "organizer");
  await enrol(page, link);
  await page.goto(`${program.url}/organize/challenges`);
  await page.getByRole("link", { name: "New challenge" }).click();
  await page.getByLabel("Name", { exact: true }).fill("Sunken Bell");
  await expect(page.getByLabel("ID", { exact: true })).toHaveValue("sunken-bell");
  await page.getByLabel("Category").fill("misc");
  // The site's policy forbids inline styles, but the editor has styles.
  const text = page.locator(".org-markdown").getByRole("textbox", { name: "Description" });
  await expect(text).toHaveCSS("font-family", /mono/i);
  await text.click();
  await page.keyboard.type("Hear the **bell**. g c");
  await page.getByLabel("Flag 1", { exact: true }).fill("flag{d1ng}");
  await page.getByRole("button", { name: "Add hint" }).click();
  await page.getByLabel("Hint 1", { exact: true }).fill("Listen *again*.");
  const bytes = Buffer.from("ding dong");
  await page
    .getByLabel("Add attachments")
    .setInputFiles({ name: "bell.txt", mimeType: "text/plain", buffer: bytes });
  await expect(page.getByText(/SHA-256 .* unsaved/)).toBeVisible();
  const preview = page.getByRole("region", { name: "Preview" });
  await expect(preview.getByText("bell", { exact: true })).toHaveCSS("font-weight", "700");
  await expect(preview.getByText("bell.txt")).toBeVisible();
  // As for players, a hint is closed, and the field of the flag is there.
  await preview.getByText("Hint 1").click();
  await expect(preview.getByText("again")).toBeVisible();
  await expect(preview.locator("[inert] input[name=flag]")).toBeVisible();
  await expectSound(page, "organize-editor");

  // The input is still there after leaving the page.
  await page.getByRole("link", { name: "Back to challenges" }).click();
  await page.getByRole("link", { name: "New challenge" }).click();
  await expect(page.getByLabel("Name", { exact: true })).toHaveValue("Sunken Bell");
  await expect(text).toHaveText("Hear the **bell**. g c");
  await page.getByLabel("Author").focus();
  await page.keyboard.press("Control+Enter");
  await expect(page).toHaveURL(/\/organize\/challenges\/sunken-bell\/edit$/);
  await expect(page.getByText("No changes")).toBeVisible();

  // Problems found by the check appear next to their field.
  await page.getByRole("button", { name: "Remove flag 1" }).click();
  const flags = page.getByRole("group", { name: "Flags" });
  await expect(flags.getByText("this challenge has no flag")).toBeVisible();
  await page.getByRole("button", { name: "Discard changes" }).click();
  await page.getByRole("textbox", { name: "Flag", exact: true }).fill("flag{d1ng}");
  await page.getByRole("button", { name: "Test", exact: true }).click();
  await expect(page.getByText("Correct: matches flag 1.")).toBeVisible();

  await page.getByRole("button", { name: "Actions for Sunken Bell" }).click();
  await page.getByRole("menuitem", { name: "Release" }).click();
  const release = page.getByRole("dialog", { name: "Release Sunken Bell" });
  await release.getByRole("button", { name: "Release Sunken Bell: no rank changes" }).click();
  const team = await newTeam(program);
  const player = await visitor();
  await enter(player, program, team);
  await player.goto("/challenge");
  const bell = card(player, "Sunken Bell");
  await bell.getByRole("button", { name: "Sunken Bell" }).click();
  await expect(bell.getByText("bell", { exact: true })).toBeVisible();
  const download = player.waitForEvent("download");
  await bell.getByRole("link", { name: "bell.txt" }).click();
  expect((await download).suggestedFilename()).toBe("bell.txt");
  await program.solve(team.token, "sunken-bell", "flag{d1ng}");

  // The graph tab of the list, and the tabs of the Event page.
  for (const path of ["challenges?as=graph", "event?tab=files"]) {
    await page.goto(`${program.url}/organize/${path}`);
    if (path.endsWith("files")) await page.getByText("Sunken Bell").click();
    await expectSound(page, `organize-${path.replace(/\W+/g, "-")}`);
  }
});

/** Opens the editor of a challenge as a new organizer. */
async function openEditor(page: Page, program: Program, id: string): Promise<void> {
  const { link } = await invite(program, "organizer");
  await enrol(page, link);
  await page.goto(`${program.url}/organize/challenges/${id}/edit`);
  await expect(page.getByText("No changes")).toBeVisible();
}

/** True if neither the head, with its menu of sections, nor the foot covers the focused element. */
async function isUncovered(page: Page): Promise<boolean> {
  return page.evaluate(() => {
    const focused = document.activeElement?.getBoundingClientRect();
    const foot = document.querySelector("footer:has(button)")?.getBoundingClientRect();
    const heads = document.querySelectorAll('main header, [aria-label="Go to section"]');
    const under = Math.max(...[...heads].map((head) => head.getBoundingClientRect().bottom));
    if (!focused || !foot || heads.length < 2) return false;
    return focused.bottom <= foot.top && focused.top >= under;
  });
}

test("the outline marks a problem by the name of its field, and leads there", async ({
  page,
  program,
}) => {
  await openEditor(page, program, "tide");
  await page.getByLabel("Initial value").fill("50");
  await page.getByLabel("Minimum value").fill("100");
  const outline = page.getByRole("navigation", { name: "Sections" });
  await expect(outline.getByRole("button", { name: "Scoring 1 error, edited" })).toBeVisible();
  const scoring = page.getByRole("group", { name: "Scoring" });
  await expect(scoring.getByText("“Minimum value” must be at most “Initial value”")).toBeVisible();
  await outline.getByRole("button", { name: "Text" }).click();
  await expect(scoring).not.toBeInViewport();
  await page.keyboard.press("F8");
  await expect(page.getByLabel("Initial value")).toBeFocused();
  await expect(outline.getByRole("button", { name: "Scoring" })).toHaveAttribute(
    "aria-current",
    "location",
  );
  // The button leads to the error instead of saving.
  await page.getByLabel("Name", { exact: true }).focus();
  await page.keyboard.press("Control+s");
  await expect(page.getByLabel("Initial value")).toBeFocused();
  await page.getByLabel("Minimum value").fill("20");
  const curve = scoring.getByRole("figure", { name: "Points of each solve" });
  await expect(curve.getByText("50", { exact: true })).toBeVisible();
});

test("saves at once without rank changes, and after a review with many", async ({
  page,
  program,
}) => {
  for (let teams = 0; teams < 4; teams++) {
    const { token } = await newTeam(program);
    await program.solve(token, "tide", "flag{t1de}");
  }
  await openEditor(page, program, "tide");
  await page.getByLabel("Author").fill("Ada");
  await expect(page.getByText("no rank changes")).toBeVisible();
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByText("No changes")).toBeVisible();
  await expect(page.getByRole("button", { name: "Undo" })).toBeVisible();
  await page.getByLabel("Initial value").fill("321");
  await page.getByRole("button", { name: "Review and save" }).click();
  const sheet = page.getByRole("dialog", { name: "Save Rising tide" });
  await sheet.locator("button[type=submit]").click();
  await expect(sheet).toHaveCount(0);
  await expect(page.getByText("No changes")).toBeVisible();
});

test("a draft survives a reload, a closed tab and a colleague's save", async ({
  page,
  program,
  context,
  complaints,
}) => {
  // A preview of the draft can meet the colleague's save, and is sent again.
  complaints.allow(/status of 409/);
  await openEditor(page, program, "oars");
  await page.getByLabel("Author").fill("Ada");
  await page.getByLabel("Connection info").fill("nc mine 1");
  await page.reload();
  await expect(page.getByLabel("Author")).toHaveValue("Ada");
  await expect(page.getByText(/^Your unsaved changes from .* are back/)).toBeVisible();
  const { url } = program;
  await page.close();

  const again = await context.newPage();
  await again.goto(`${url}/organize/challenges/oars/edit`);
  await expect(again.getByText(/^You have unsaved changes from/)).toBeVisible();
  await again.getByRole("button", { name: "Restore" }).click();
  const author = again.getByRole("textbox", { name: "Author" });
  await expect(author).toHaveValue("Ada");
  const answer = await again.evaluate(async () => {
    const fields = { author: "Bob", category: "Boats" };
    const headers = { "Content-Type": "application/json", "X-Organize": "1" };
    const body = JSON.stringify({ action: "challenge.edit", challenge: "oars", fields });
    return (await fetch("/api/organize/actions", { method: "POST", headers, body })).status;
  });
  expect(answer).toBe(200);
  await expect(again.getByText(/also changed this: Author/)).toBeVisible();
  await expect(again.getByLabel("Category")).toHaveValue("Boats");
  await expect(author).toHaveValue("Ada");
  await expect(again.locator("ins").getByText("Bob")).toBeVisible();
  await again.getByRole("button", { name: "Use theirs: Author" }).click();
  await expect(author).toHaveValue("Bob");
  await expect(again.getByRole("textbox", { name: "Connection info" })).toHaveValue("nc mine 1");
});

/** Presses a key through the form, and expects each control in view. */
async function expectUncovered(page: Page, key: string): Promise<void> {
  let seen = 0;
  for (; seen < 60; seen++) {
    await page.keyboard.press(key);
    const { where, isTall } = await page.evaluate(() => {
      const focused = document.activeElement;
      const where = focused?.closest("[data-section]") ? focused.outerHTML.slice(0, 120) : null;
      // The description is about as tall as a phone's window.
      const isTall = (focused?.getBoundingClientRect().height ?? 0) > window.innerHeight / 4;
      return { where, isTall };
    });
    if (where === null) break;
    if (!isTall) expect(await isUncovered(page), where).toBe(true);
  }
  expect(seen).toBeGreaterThan(10);
}

for (const [width, height] of [
  [390, 844],
  [1440, 900],
] as const) {
  test(`the foot covers no field at ${width}×${height}`, async ({ page, program }) => {
    await page.setViewportSize({ width, height });
    await openEditor(page, program, "welcome");
    await page.getByLabel("Author").fill("Ada");
    await expect(page.getByRole("button", { name: "Save", exact: true })).toBeInViewport();
    const section = page.getByRole("group", { name: "Organizers only" });
    await page.getByLabel("Name", { exact: true }).focus();
    await expectUncovered(page, "Tab");
    await expect(section).toBeInViewport();
    await page.getByRole("textbox", { name: "Solution" }).focus();
    await expectUncovered(page, "Shift+Tab");
    await expectSound(page, `organize-editor-${width}`);
  });
}
