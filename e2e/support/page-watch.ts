// Collects complaints from all pages of a browser context: errors, dialogs, and policy violations.

import type { BrowserContext, ConsoleMessage } from "@playwright/test";

/** Complaints of the pages, without the allowed ones. */
export class Complaints {
  readonly #found: string[] = [];
  readonly #allowed: RegExp[] = [];

  add(complaint: string): void {
    this.#found.push(complaint);
  }

  /** Allows complaints that the test causes. */
  allow(complaint: RegExp): void {
    this.#allowed.push(complaint);
  }

  /** Returns complaints that are not allowed. */
  unexpected(): string[] {
    return this.#found.filter((found) => !this.#allowed.some((allowed) => allowed.test(found)));
  }
}

/** Collects complaints of all pages that this context opens after this call. */
export async function watch(context: BrowserContext, complaints: Complaints): Promise<void> {
  context.on("weberror", (error) => complaints.add(`uncaught: ${error.error().message}`));
  context.on("dialog", (dialog) => {
    // A page with a draft asks for confirmation before it closes.
    if (dialog.type() === "beforeunload") return void dialog.accept();
    complaints.add(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  context.on("console", (message) => {
    if (message.type() === "error" && !isOwnStatus(message)) {
      complaints.add(`console: ${message.text()} (${message.location().url})`);
    }
  });
  await context.exposeFunction("reportViolation", (what: string) => {
    complaints.add(`policy: ${what}`);
  });
  await context.addInitScript(() => {
    document.addEventListener("securitypolicyviolation", (event) => {
      const report: unknown = Reflect.get(window, "reportViolation");
      if (typeof report === "function") {
        report(`${event.effectiveDirective} ${event.blockedURI} ${event.sample}`);
      }
    });
  });
}

/** True for the browser's report of a 404 for an unknown page, which is expected. */
function isOwnStatus(message: ConsoleMessage): boolean {
  const own = message.location().url === message.page()?.url();
  return own && message.text().includes("status of 404");
}
