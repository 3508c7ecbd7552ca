// Checks for every page in every state: axe finds no problem in either theme at desktop and mobile
// width, and no page scrolls sideways. Saves screenshots.

import { AxeBuilder } from "@axe-core/playwright";
import { expect, type Page } from "@playwright/test";

const SIZES = [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
] as const;
const THEMES = ["dark", "light"] as const;
/** Rules that axe's default set, including best practices, leaves out. */
const MORE_RULES = ["css-orientation-lock", "focus-order-semantics", "p-as-heading", "target-size"];
/** The only rules whose outcome depends on the theme. */
const COLOR_RULES = ["color-contrast", "link-in-text-block"];
/** Rules that apply to every page. Their results show that the check ran. */
const ALWAYS = ["landmark-one-main", "page-has-heading-one", "region"];

/** Page width minus window width in pixels; negative with a scrollbar gutter. */
export function tooWidePx(page: Page): Promise<number> {
  return page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
}

/** Waits until the scoreboard, captcha and fonts have loaded. */
async function settled(page: Page): Promise<void> {
  await expect(page.getByRole("main")).toBeVisible();
  await expect(page.locator("h1").first()).toBeVisible();
  await page.waitForLoadState("load");
  await expect(page.locator("[aria-busy=true]")).toHaveCount(0);
  await page.evaluate(() => document.fonts.ready.then(() => true));
}

/** Runs axe with all rules, or only the color rules. */
async function axe(page: Page, hasAllRules: boolean) {
  const builder = new AxeBuilder({ page }).setLegacyMode(true);
  if (hasAllRules) {
    builder.options({ rules: Object.fromEntries(MORE_RULES.map((id) => [id, { enabled: true }])) });
  } else {
    builder.withRules(COLOR_RULES);
  }
  const { violations, passes } = await builder.analyze();
  const found = violations.map((violation) => ({
    rule: violation.id,
    where: violation.nodes.map((node) => node.target.join(" ")),
  }));
  return { found, passed: passes.map(({ id }) => id) };
}

/** Checks the page in its current state, in both themes and at both widths. */
export async function expectSound(page: Page, name: string): Promise<void> {
  await settled(page);
  // Behind a dialog, nothing matches these rules.
  const isBehind = (await page.getByRole("dialog").count()) > 0;
  for (const size of SIZES) {
    await page.setViewportSize(size);
    for (const colorScheme of THEMES) {
      // With reduced motion, colors change without a transition.
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      const picture = `${name}-${colorScheme}-${size.width}`;
      const { found, passed } = await axe(page, colorScheme === THEMES[0]);
      expect.soft(found, picture).toEqual([]);
      if (colorScheme === THEMES[0]) {
        expect.soft(passed, picture).toEqual(expect.arrayContaining(isBehind ? [] : ALWAYS));
      }
    }
    await page.emulateMedia({ colorScheme: "dark" });
    const path = `test-results/pictures/${name}-${size.width}.png`;
    await page.screenshot({ path, fullPage: true });
    expect.soft(await tooWidePx(page), `${name} scrolls sideways`).toBeLessThanOrEqual(0);
  }
  await page.setViewportSize(SIZES[0]);
}
