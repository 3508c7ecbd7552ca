// Runs html-validate on the DOM. Rules about source style (quotes, closed void elements) are off,
// because the browser serializes the DOM.

import type { Page } from "@playwright/test";
import { HtmlValidate, StaticConfigLoader } from "html-validate";

const validator = new HtmlValidate(
  new StaticConfigLoader({
    extends: ["html-validate:recommended", "html-validate:document", "html-validate:prettier"],
    rules: {
      "attribute-boolean-style": "off",
      "attribute-empty-style": "off",
      "no-trailing-whitespace": "off",
      // The policy blocks inline styles in HTML; scripts have set those in the DOM.
      "no-inline-style": "off",
      // Lists can have an accessible name.
      "aria-label-misuse": ["error", { allowAnyNamable: true }],
      // A native select has no search.
      "prefer-native-element": ["error", { exclude: ["listbox"] }],
      // Rows use `display` values that remove the implicit role, so they need an explicit one.
      "no-redundant-role": "off",
      // The policy allows only the site's own origin.
      "require-sri": "off",
      // React generates IDs that begin with an underscore.
      "valid-id": ["error", { relaxed: true }],
    },
  }),
);

/** Validation errors of an HTML text. */
export async function htmlFaults(text: string): Promise<string[]> {
  const { results } = await validator.validateString(text);
  return (
    results
      .flatMap(({ messages }) => messages)
      // The third-party captcha widget writes `dir=""`.
      .filter(({ selector }) => !selector?.includes("altcha-widget"))
      .map(({ ruleId, message, selector }) => `${ruleId}: ${message} (${selector ?? "document"})`)
  );
}

/** Validation errors of a page's current DOM. */
export async function pageFaults(page: Page): Promise<string[]> {
  return htmlFaults(await page.content());
}
