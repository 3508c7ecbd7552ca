// Cumulative layout shift of loading pages.

import { expect, type Page } from "@playwright/test";

/** Maximum layout shift. Above it, users lose their place. */
const SHIFT_MAX = 0.05;
const LATE_MS = { together: 150, inTurn: 60 };

/** An element moved by a layout shift. */
interface Shifted {
  node?: Element;
  previousRect: DOMRect;
  currentRect: DOMRect;
}

/**
 * Sums the layout shifts that no input caused, like the browser's own metric. Responses and scripts
 * are delayed as on a phone: in groups, or one after the other.
 */
export async function watchShifts(page: Page, how: keyof typeof LATE_MS): Promise<void> {
  let before = Promise.resolve();
  await page.route(/\/api\/|\/static\/js\//, async (route) => {
    const late = () => new Promise<void>((resolve) => setTimeout(resolve, LATE_MS[how]));
    before = how === "inTurn" ? before.then(late) : late();
    await before;
    // A navigation may cancel the request, and then this would never settle.
    void route.continue().catch(() => undefined);
  });
  await page.addInitScript(() => {
    let sum = 0;
    const moved: string[] = [];
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        if (Reflect.get(entry, "hadRecentInput")) continue;
        sum += Reflect.get(entry, "value");
        const nodes: Shifted[] = Reflect.get(entry, "sources");
        for (const {
          node,
          previousRect: { top },
          currentRect,
        } of nodes) {
          moved.push(`${node?.className ?? node?.nodeName} from ${top} to ${currentRect.top}`);
        }
      }
      Reflect.set(window, "shift", [sum, moved.join(", ")]);
    }).observe({ type: "layout-shift", buffered: true });
    Reflect.set(window, "shift", [0, ""]);
  });
}

/** Opens a page, and expects no layout shift until it is loaded. */
export async function expectCalm(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await expect(page.getByRole("status", { name: /^Loading/ })).toHaveCount(0);
  await page.waitForLoadState("networkidle");
  const [shift, moved]: [number, string] = await page.evaluate(() => {
    return Reflect.get(window, "shift");
  });
  expect.soft(shift, `${address} moved ${moved}`).toBeLessThanOrEqual(SHIFT_MAX);
}
