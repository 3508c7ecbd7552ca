// Requests that fail as without a connection.

import type { Page } from "@playwright/test";

/** Requests of a page that fail until they are restored. */
interface Cut {
  /** URLs of all matching requests. */
  readonly requests: readonly string[];
  restore(): void;
}

/**
 * Makes matching requests fail. The handler does not wait for its route, which never settles if a
 * reload cancels the request: closing the page would wait for the handler.
 */
export async function cut(page: Page, pattern: string): Promise<Cut> {
  const requests: string[] = [];
  let isCut = true;
  await page.route(pattern, (route) => {
    requests.push(route.request().url());
    const handled = isCut ? route.abort() : route.continue();
    void handled.catch(() => undefined);
  });
  return {
    requests,
    restore() {
      isCut = false;
    },
  };
}
