// Counts an organizer's input: each pointer press counts as a click, and each field with typed text
// counts as a field. Selecting from a list takes two clicks.

import { expect, type Locator, type Page } from "@playwright/test";

export interface Count {
  readonly clicks: number;
  readonly fields: number;
}

/** Time to wait for a preview, which is debounced by 350 ms. */
const STILL_MS = 500;

export class Hand {
  readonly page: Page;
  #hasTyped = false;
  #clicks = 0;
  #fields = 0;

  constructor(page: Page) {
    this.page = page;
  }

  get count(): Count {
    return { clicks: this.#clicks, fields: this.#fields };
  }

  /** Presses a control, with Shift for a range of rows. */
  async press(target: Locator, ...modifiers: readonly "Shift"[]): Promise<void> {
    this.#clicks += 1;
    await target.click({ modifiers: [...modifiers] });
  }

  /** Types into a field, which has the focus without a click. */
  async type(target: Locator, text: string): Promise<void> {
    this.#fields += 1;
    this.#hasTyped = true;
    await target.fill(text);
  }

  async choose(target: Locator, option: string): Promise<void> {
    this.#clicks += 2;
    this.#hasTyped = true;
    await target.selectOption(option);
  }

  /** Drops a file, or selects it in the system dialog. */
  async give(target: Locator, name: string, text: string): Promise<void> {
    this.#clicks += 1;
    const buffer = Buffer.from(text);
    await target.setInputFiles({ name, mimeType: "text/plain", buffer });
  }

  /** Opens a page from the menu. */
  async open(name: string): Promise<void> {
    await this.press(menuLink(this.page, name));
  }

  /** Confirms the dialog, and waits for the success message. */
  async confirm(done: string | RegExp, reason?: string): Promise<void> {
    const sheet = this.page.getByRole("dialog");
    if (reason !== undefined) await this.type(sheet.getByLabel("Reason"), reason);
    const button = sheet.locator("button[type=submit]");
    // A press just before the preview starts would have no effect.
    if (this.#hasTyped) await this.page.waitForTimeout(STILL_MS);
    await expect(button).toBeEnabled();
    await this.press(button);
    await expect(this.page.getByRole("status").getByText(done)).toBeVisible();
    await expect(sheet).toHaveCount(0);
  }
}

export function menuLink(page: Page, name: string): Locator {
  const menu = page.getByRole("navigation", { name: "Organizer pages" });
  // The name may be followed by a count of pending work.
  return menu.getByRole("link", { name: new RegExp(`^${name}( \\d|$)`) });
}
