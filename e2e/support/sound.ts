// What holds for every page in every state: axe finds nothing in either theme at the width of a
// desk and of a hand, and nothing scrolls sideways. Leaves pictures behind.

import { AxeBuilder } from "@axe-core/playwright";
import { expect, type Page } from "@playwright/test";

const SIZES = [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
] as const;
const THEMES = ["dark", "light"] as const;

/** How many pixels the page is wider than its window; a scrollbar's gutter makes it negative. */
export function tooWidePx(page: Page): Promise<number> {
  return page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
}

/** Waits until what still loads has arrived: a board, a captcha, the fonts. */
async function settled(page: Page): Promise<void> {
  await expect(page.getByRole("main")).toBeVisible();
  await expect(page.locator("h1").first()).toBeVisible();
  await page.waitForLoadState("load");
  await expect(page.locator("[aria-busy=true]")).toHaveCount(0);
  await page.evaluate(() => document.fonts.ready.then(() => true));
}

/** The page as it stands, in both themes and at both widths. */
export async function expectSound(page: Page, name: string): Promise<void> {
  await settled(page);
  for (const size of SIZES) {
    await page.setViewportSize(size);
    for (const colorScheme of THEMES) {
      // Without motion a colour is what it is at once, not on its way from the other theme.
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      const picture = `${name}-${colorScheme}-${size.width}`;
      const { violations } = await new AxeBuilder({ page }).setLegacyMode(true).analyze();
      const found = violations.map((violation) => ({
        rule: violation.id,
        where: violation.nodes.map((node) => node.target.join(" ")),
      }));
      expect.soft(found, picture).toEqual([]);
    }
    await page.emulateMedia({ colorScheme: "dark" });
    const path = `test-results/pictures/${name}-${size.width}.png`;
    await page.screenshot({ path, fullPage: true });
    expect.soft(await tooWidePx(page), `${name} scrolls sideways`).toBeLessThanOrEqual(0);
  }
  await page.setViewportSize(SIZES[0]);
}
