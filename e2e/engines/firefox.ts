// Firefox ESR from Debian, driven by WebDriver BiDi. The client is the last Playwright version that
// works with this Firefox: newer ones require `emulation.setMediaFeaturesOverride`.

import { type Browser, firefox, type Page } from "playwright-core-esr";
import { type Engine, FIND_MS_MAX } from "./engine.ts";

const FIREFOX = "/usr/bin/firefox-esr";

export class Firefox implements Engine {
  readonly #browser: Browser;
  readonly #page: Page;
  /** Script errors and policy violations. */
  readonly #errors: string[] = [];

  private constructor(browser: Browser, page: Page) {
    this.#browser = browser;
    this.#page = page;
    page.setDefaultTimeout(FIND_MS_MAX);
    page.on("pageerror", (error) => this.#errors.push(`uncaught: ${error.message}`));
    page.on("console", (message) => {
      if (message.type() === "error") {
        this.#errors.push(message.text());
      }
    });
  }

  static async start(): Promise<Firefox> {
    const browser = await firefox.launch({ channel: "moz-firefox", executablePath: FIREFOX });
    const page = await browser.newPage({ ignoreHTTPSErrors: true });
    return new Firefox(browser, page);
  }

  async open(url: string): Promise<void> {
    // Firefox reports a font whose download ends because the page is left.
    await this.#page.evaluate(async () => void (await document.fonts.ready));
    await this.#page.goto(url);
  }

  async press(role: "link" | "button" | "option", name: string): Promise<void> {
    await this.#page.getByRole(role, { name, exact: true }).first().click();
  }

  async tick(name: string): Promise<void> {
    await this.#page.getByRole("checkbox", { name }).click({ force: true });
  }

  async fill(label: string, text: string): Promise<void> {
    // A listbox has the same label as its field.
    const field = this.#page.locator("input, textarea, select");
    const named = this.#page.getByLabel(label, { exact: true }).and(field);
    await named.fill("");
    await named.pressSequentially(text);
  }

  read<T>(expression: string): Promise<T> {
    return this.#page.evaluate<T>(expression);
  }

  async close(): Promise<void> {
    await this.#browser.close();
    if (this.#errors.length > 0) {
      throw new Error(`Firefox complained:\n${this.#errors.join("\n")}`);
    }
  }
}
