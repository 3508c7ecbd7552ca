// Screenshots of the ceremony on a projector, from its preparation to the last step.

import { expect, type Page, test } from "@playwright/test";
import { CEREMONY_EVENT, playToTheEnd } from "../support/ceremony.ts";
import { enrol } from "../support/organizer.ts";
import { Program } from "../support/program.ts";
import { PROJECTOR, picture } from "./pictures.ts";

/** Longest time of a card's animations. */
const CARD_MS = 2500;

/** Presses Space until a scene is shown, with all hidden solves of the places before it. */
async function until(page: Page, scene: string): Promise<void> {
  const stage = page.locator(scene);
  while ((await stage.count()) === 0) await page.keyboard.press("Space");
}

test("the ceremony", async ({ page }) => {
  const program = await Program.start(CEREMONY_EVENT);
  await playToTheEnd(program);
  await page.setViewportSize(PROJECTOR);
  const link = await program.command("organizer", "add", "Ada Byron", "--role", "owner");
  await enrol(page, link.trim());
  await page.goto(`${program.url}/organize/ceremony`);
  await page.getByRole("button", { name: "Load the sealed ranking" }).click();
  await page.getByLabel("Event name, to confirm").fill("Harbour Test CTF");
  await expect(page.getByRole("button", { name: "Begin" })).toBeEnabled();
  await picture(page, "ceremony-setup", PROJECTOR, "dark");
  await page.getByRole("button", { name: "Begin" }).click();
  await picture(page, "ceremony-opening", PROJECTOR, "dark");
  await until(page, '[data-step="frozen"]');
  await picture(page, "ceremony-frozen", PROJECTOR, "dark");
  await until(page, '[data-place][data-playing="true"]');
  await expect(page.locator('[data-state="rising"]')).toBeVisible();
  await picture(page, "ceremony-place", PROJECTOR, "dark");
  await until(page, '[data-step="card"][data-place="1"]');
  await page.waitForTimeout(CARD_MS);
  await picture(page, "ceremony-winner", PROJECTOR, "dark");
  await until(page, '[data-step="podium"]');
  await picture(page, "ceremony-podium", PROJECTOR, "dark");
  await until(page, '[data-step="board"]');
  await picture(page, "ceremony-board", PROJECTOR, "dark");
  await until(page, '[data-step="publish"]');
  await picture(page, "ceremony-publish", PROJECTOR, "dark");
  await page.close();
  await program.stop();
});
