// Listens to a page for what nobody should ever see: errors and refusals by its own policy.

import type { ConsoleMessage, Page } from "@playwright/test";

/** Collects complaints from now on; the list is empty as long as all is well. */
export async function watch(page: Page): Promise<string[]> {
  const complaints: string[] = [];
  page.on("pageerror", (error) => complaints.push(`uncaught: ${error.message}`));
  page.on("console", (message) => {
    if (message.type() === "error" && !isOwnStatus(message, page)) {
      complaints.push(`console: ${message.text()} (${message.location().url})`);
    }
  });
  await page.exposeFunction("reportViolation", (what: string) => {
    complaints.push(`policy: ${what}`);
  });
  await page.addInitScript(() => {
    document.addEventListener("securitypolicyviolation", (event) => {
      const report: unknown = Reflect.get(window, "reportViolation");
      if (typeof report === "function") {
        report(`${event.effectiveDirective} ${event.blockedURI} ${event.sample}`);
      }
    });
  });
  return complaints;
}

/** An unknown page is answered with 404, and the browser says so: that is as it should be. */
function isOwnStatus(message: ConsoleMessage, page: Page): boolean {
  return message.location().url === page.url() && message.text().includes("status of 404");
}
