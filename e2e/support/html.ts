// html-validate over what the browser holds. What only says how text was written (quotes, closed
// void elements) is off: the browser writes the DOM out in its own way.

import type { Page } from "@playwright/test";
import { HtmlValidate, StaticConfigLoader } from "html-validate";

const validator = new HtmlValidate(
  new StaticConfigLoader({
    extends: ["html-validate:recommended", "html-validate:document", "html-validate:prettier"],
    rules: {
      "attribute-boolean-style": "off",
      "attribute-empty-style": "off",
      "no-trailing-whitespace": "off",
      // The policy of the page refuses written styles; those of the DOM were set by scripts.
      "no-inline-style": "off",
      // A list may have a name.
      "aria-label-misuse": ["error", { allowAnyNamable: true }],
      // A native list cannot be searched.
      "prefer-native-element": ["error", { exclude: ["listbox"] }],
      // A row of the board is a box, so that to a browser it is no row: it says its role.
      "no-redundant-role": "off",
      // Everything is of our own origin, which the policy enforces.
      "require-sri": "off",
      // React makes ids that begin with an underscore.
      "valid-id": ["error", { relaxed: true }],
    },
  }),
);

/** What is wrong with a text of HTML; empty when it is clean. */
export async function htmlFaults(text: string): Promise<string[]> {
  const { results } = await validator.validateString(text);
  return (
    results
      .flatMap(({ messages }) => messages)
      // The captcha's widget writes `dir=""`; it is not ours.
      .filter(({ selector }) => !selector?.includes("altcha-widget"))
      .map(({ ruleId, message, selector }) => `${ruleId}: ${message} (${selector ?? "document"})`)
  );
}

/** The same for a page as it stands now. */
export async function pageFaults(page: Page): Promise<string[]> {
  return htmlFaults(await page.content());
}
