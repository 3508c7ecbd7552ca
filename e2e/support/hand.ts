// The hand of an organizer that is counted: each press of the pointer is a click, and each field
// that is typed into is a field. A choice from a list is two clicks. Nothing else is offered.

import { expect, type Locator, type Page } from "@playwright/test";

export interface Count {
  readonly clicks: number;
  readonly fields: number;
}

/** The sheet asks who moves once its fields have been still for 350 ms. */
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

  async press(target: Locator): Promise<void> {
    this.#clicks += 1;
    await target.click();
  }

  /** Types into a field, which is reached without a click. */
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

  /** Drops a file, or chooses it in the dialog of the system. */
  async give(target: Locator, name: string, text: string): Promise<void> {
    this.#clicks += 1;
    const buffer = Buffer.from(text);
    await target.setInputFiles({ name, mimeType: "text/plain", buffer });
  }

  /** Opens a page of the menu. */
  async open(name: string): Promise<void> {
    await this.press(menuLink(this.page, name));
  }

  /** Does what the sheet says, and waits until the message says that it is done. */
  async confirm(done: string | RegExp, reason?: string): Promise<void> {
    const sheet = this.page.getByRole("dialog");
    if (reason !== undefined) await this.type(sheet.getByLabel("Reason"), reason);
    const button = sheet.locator("button[type=submit]");
    // A press just when it begins to ask would do nothing.
    if (this.#hasTyped) await this.page.waitForTimeout(STILL_MS);
    await expect(button).toBeEnabled();
    await this.press(button);
    await expect(this.page.getByRole("status").getByText(done)).toBeVisible();
    await expect(sheet).toHaveCount(0);
  }
}

export function menuLink(page: Page, name: string): Locator {
  const menu = page.getByRole("navigation", { name: "Pages of the organizers" });
  return menu.getByRole("link", { name, exact: true });
}
