// How a page is made a picture: its sizes, its themes, and the file, which loses nothing.

import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { PICTURES, WIDE } from "./event.ts";

export const NARROW = { width: 390, height: 844 } as const;
/** A control room's wall. */
export const WALL = { width: 2560, height: 1440 } as const;
export type Size = typeof WIDE | typeof NARROW | typeof WALL;
const THEMES = ["dark", "light"] as const;
type Theme = (typeof THEMES)[number];
/** What moves when a page opens has come to rest. */
const SETTLE_MS = 600;

/** `NAME-WIDTH-THEME.webp`, a third of the same PNG. */
export async function picture(page: Page, name: string, size: Size, theme: Theme): Promise<void> {
  await page.setViewportSize(size);
  await page.emulateMedia({ colorScheme: theme, reducedMotion: "reduce" });
  for (const form of await page.locator("form[data-wrong=true]").all()) {
    await form.scrollIntoViewIfNeeded();
  }
  await page.waitForTimeout(SETTLE_MS);
  mkdirSync(PICTURES, { recursive: true });
  const file = join(PICTURES, `${name}-${size.width}-${theme}.webp`);
  const words = ["-quiet", "-lossless", "-m", "6", "-o", file, "--", "-"];
  execFileSync("cwebp", words, { input: await page.screenshot() });
}

/** A screen, in each of the sizes in both themes. */
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

/** A state of a screen: wide and dark, narrow and light. */
export async function states(page: Page, name: string): Promise<void> {
  await picture(page, name, NARROW, "light");
  await picture(page, name, WIDE, "dark");
}
