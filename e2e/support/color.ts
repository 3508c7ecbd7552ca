// Colors of the site's design tokens.

import type { Page } from "@playwright/test";

/** Computed color of a token. */
export async function tokenColor(page: Page, name: string): Promise<string> {
  return page.evaluate((name) => {
    const probe = document.body.appendChild(document.createElement("i"));
    probe.style.setProperty("color", `var(${name})`);
    const { color } = getComputedStyle(probe);
    probe.remove();
    return color;
  }, name);
}

/** Color of a token as `#rrggbb`, converted from any notation by a canvas. */
export async function tokenHex(page: Page, name: string): Promise<string> {
  return page.evaluate((name) => {
    const context = document.createElement("canvas").getContext("2d");
    if (!context) return "";
    const probe = document.body.appendChild(document.createElement("i"));
    probe.style.setProperty("color", `var(${name})`);
    context.fillStyle = getComputedStyle(probe).color;
    probe.remove();
    context.fillRect(0, 0, 1, 1);
    const [red = 0, green = 0, blue = 0] = context.getImageData(0, 0, 1, 1).data;
    return `#${[red, green, blue].map((one) => one.toString(16).padStart(2, "0")).join("")}`;
  }, name);
}
