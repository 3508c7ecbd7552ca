// Collects complaints of every page of a browser context: errors, dialogs, and violations of the
// site's policy.

import type { BrowserContext, ConsoleMessage } from "@playwright/test";

/** The complaints of the pages, without the allowed ones. */
export class Complaints {
  readonly #found: string[] = [];
  readonly #allowed: RegExp[] = [];

  add(complaint: string): void {
    this.#found.push(complaint);
  }

  /** Allows complaints that the test provokes. */
  allow(complaint: RegExp): void {
    this.#allowed.push(complaint);
  }

  /** The complaints that are not allowed. */
  unexpected(): string[] {
    return this.#found.filter((found) => !this.#allowed.some((allowed) => allowed.test(found)));
  }
}

/** Collects the complaints of all pages that this context opens after this call. */
export async function watch(context: BrowserContext, complaints: Complaints): Promise<void> {
  context.on("weberror", (error) => complaints.add(`uncaught: ${error.error().message}`));
  context.on("dialog", (dialog) => {
    // A page with a draft asks before it is left.
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

/** The browser reports the 404 of an unknown page: that is expected. */
function isOwnStatus(message: ConsoleMessage): boolean {
  const own = message.location().url === message.page()?.url();
  return own && message.text().includes("status of 404");
}
