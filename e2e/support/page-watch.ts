// Listens to every page of a browser context for what nobody should ever see: errors, dialogs, and
// refusals by the site's own policy.

import type { BrowserContext, ConsoleMessage } from "@playwright/test";

/** What the pages complained of, without what the test said would come. */
export class Complaints {
  readonly #found: string[] = [];
  readonly #allowed: RegExp[] = [];

  add(complaint: string): void {
    this.#found.push(complaint);
  }

  /** Says that this complaint is the point of the test. */
  allow(complaint: RegExp): void {
    this.#allowed.push(complaint);
  }

  /** Complaints that nobody expected; empty as long as all is well. */
  unexpected(): string[] {
    return this.#found.filter((found) => !this.#allowed.some((allowed) => allowed.test(found)));
  }
}

/** Collects the complaints of all pages that this context opens from now on. */
export async function watch(context: BrowserContext, complaints: Complaints): Promise<void> {
  context.on("weberror", (error) => complaints.add(`uncaught: ${error.error().message}`));
  context.on("dialog", (dialog) => {
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

/** An unknown page is answered with 404, and the browser says so: that is as it should be. */
function isOwnStatus(message: ConsoleMessage): boolean {
  const own = message.location().url === message.page()?.url();
  return own && message.text().includes("status of 404");
}
