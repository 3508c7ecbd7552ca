// The colours of the site's tokens.

import type { Page } from "@playwright/test";

/** The colour of a token, as the browser computes it. */
export async function tokenColour(page: Page, name: string): Promise<string> {
  return page.evaluate((name) => {
    const probe = document.body.appendChild(document.createElement("i"));
    probe.style.setProperty("color", `var(${name})`);
    const { color } = getComputedStyle(probe);
    probe.remove();
    return color;
  }, name);
}
