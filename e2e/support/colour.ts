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

/** The value of a token as `#rrggbb`, in whichever notation it is: what a canvas draws with it. */
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
