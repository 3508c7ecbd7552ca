// Keyboard shortcuts: behind a prefix, so that typed text never leaves a page.

import type { Page } from "@playwright/test";
import { enrol, invite } from "../support/organizer.ts";
import { expectSound } from "../support/page-checks.ts";
import { expect, newTeam, test } from "../support/test.ts";

const PATHS = [
  "/",
  "/scoreboard",
  "/scoreboard?graph=true",
  "/challenge",
  "/challenge?open=welcome",
  "/rules",
  "/news",
  "/account",
  "/none",
];
const WORDS = ["hello", "crumbs", "flags", "so long"];

/** Types a text at the place of the focus, or on the page if nothing has it. */
async function typeBeside(page: Page, text: string): Promise<void> {
  await page.evaluate(() => {
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
  });
  // Another key ends the word before.
  await page.keyboard.press("Shift");
  await page.keyboard.type(text);
}

/** Expects that the page stayed, and that no dialog opened. */
async function expectStill(page: Page, url: string): Promise<void> {
  // A shortcut would act before the next frame.
  await page.evaluate(() => new Promise(requestAnimationFrame));
  expect(page.url()).toBe(url);
  await expect(page.getByRole("dialog")).toHaveCount(0);
}

test("typed words never leave a page, also right after a challenge is opened", async ({
  page,
  team,
}) => {
  for (const path of [...PATHS, `/team/${encodeURIComponent(team.name)}`]) {
    await page.goto(path);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    const url = page.url();
    for (const word of WORDS) await typeBeside(page, word);
    await expectStill(page, url);
  }
  await page.goto("/challenge");
  await page.getByRole("button", { name: /^Welcome aboard/ }).click();
  await expect(page).toHaveURL(/open=welcome/);
  const url = page.url();
  for (const word of WORDS) await page.keyboard.type(word);
  await expectStill(page, url);
});

test("typed words never leave a page for visitors", async ({ page }) => {
  for (const path of ["/", "/scoreboard", "/rules", "/login", "/signup", "/reset", "/confirm"]) {
    await page.goto(path);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    const url = page.url();
    for (const word of WORDS) await typeBeside(page, word);
    await expectStill(page, url);
  }
});

test("g and a letter open a page; / focuses the search; ? lists the keys", async ({
  page,
  team,
}) => {
  await page.goto("/");
  await expect(page.getByRole("button", { name: team.name })).toBeVisible();
  for (const [letter, path] of [
    ["s", "/scoreboard"],
    ["c", "/challenge"],
    ["r", "/rules"],
    ["a", "/account"],
    ["h", "/"],
  ] as const) {
    await page.keyboard.press("g");
    await page.keyboard.press(letter);
    await expect(page).toHaveURL((url) => url.pathname === path);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  }
  for (const path of ["/scoreboard", "/challenge"]) {
    await page.goto(path);
    const search = page.getByRole("searchbox");
    await expect(search).toBeVisible();
    await page.keyboard.press("/");
    await expect(search).toBeFocused();
    await page.keyboard.type("gs?");
    await expect(search).toHaveValue("gs?");
    expect(new URL(page.url()).pathname).toBe(path);
  }
  await page.goto("/rules");
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await page.keyboard.press("?");
  const sheet = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  await expect(sheet.getByText("Your team")).toBeVisible();
  await expect(sheet.locator("kbd")).toContainText(["g", "h", "g", "s"]);
  await page.keyboard.press("Escape");
  await expect(sheet).toHaveCount(0);
});

test("a typed word does nothing in the console, and no letter is lost after Ctrl K", async ({
  page,
  serve,
}) => {
  const program = await serve({});
  await newTeam(program, "Otters");
  const { link } = await invite(program, "owner");
  await enrol(page, link);
  for (const path of ["", "/challenges", "/teams", "/submissions", "/messages", "/event"]) {
    await page.goto(`${program.url}/organize${path}`);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    const url = page.url();
    for (const word of WORDS) await typeBeside(page, word);
    await expectStill(page, url);
  }
  await page.keyboard.press("Control+k");
  await page.keyboard.type("otters");
  const field = page.getByRole("combobox", { name: "Page, team, challenge or action" });
  await expect(field).toHaveValue("otters");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/organize\/teams\?team=Otters$/);
  await page.keyboard.press("Control+k");
  await page.keyboard.type("e");
  await expect(page.getByRole("option", { name: /^Event/ }).first()).toBeVisible();
  await expectSound(page, "palette");
  await field.fill("nothing has this name");
  await expect(page.getByText("No results")).toBeVisible();
  const height = await page.getByRole("dialog").evaluate((box) => box.clientHeight);
  expect(height).toBeLessThan(140);
});
