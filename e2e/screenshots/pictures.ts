// Screenshots of a page in several sizes and themes.

import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { PICTURES, WIDE } from "./event.ts";

export const NARROW = { width: 390, height: 844 } as const;
/** Size of a wall display. */
export const WALL = { width: 2560, height: 1440 } as const;
/** Size of a projector. */
export const PROJECTOR = { width: 1920, height: 1080 } as const;
export type Size = typeof WIDE | typeof NARROW | typeof WALL | typeof PROJECTOR;
const THEMES = ["dark", "light"] as const;
type Theme = (typeof THEMES)[number];
/** Maximum size of a lossless picture. */
const LOSSLESS_BYTES_MAX = 100_000;
/** Time for opening animations to finish. */
const SETTLE_MS = 600;

/** Encodes a PNG as WebP: without loss, unless a picture in the page makes it too large. */
function encoded(png: Buffer): Buffer {
  const encode = (...how: string[]) =>
    execFileSync("cwebp", ["-quiet", "-m", "6", ...how, "-o", "-", "--", "-"], {
      input: png,
      maxBuffer: png.length * 2,
    });
  const lossless = encode("-lossless");
  return lossless.length <= LOSSLESS_BYTES_MAX ? lossless : encode("-q", "90", "-sharp_yuv");
}

/** Saves `NAME-WIDTH-THEME.webp`. */
export async function picture(page: Page, name: string, size: Size, theme: Theme): Promise<void> {
  await page.setViewportSize(size);
  await page.emulateMedia({ colorScheme: theme, reducedMotion: "reduce" });
  await page.evaluate(() =>
    document.querySelector("form[data-wrong=true]")?.scrollIntoView({ block: "center" }),
  );
  await page.waitForTimeout(SETTLE_MS);
  mkdirSync(PICTURES, { recursive: true });
  const file = join(PICTURES, `${name}-${size.width}-${theme}.webp`);
  writeFileSync(file, encoded(await page.screenshot()));
}

/** Saves a screen in each size and both themes. */
export async function pictures(
  page: Page,
  name: string,
  sizes: readonly Size[] = [WIDE, NARROW],
): Promise<void> {
  await page.evaluate(() => window.scrollTo(0, 0));
  for (const size of sizes) {
    for (const theme of THEMES) await picture(page, name, size, theme);
  }
}

/** Saves a state of a screen: the wide size in dark, the narrow size in light. */
export async function states(page: Page, name: string): Promise<void> {
  await picture(page, name, NARROW, "light");
  await picture(page, name, WIDE, "dark");
}
