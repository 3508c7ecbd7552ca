// html-validate on the DOM. Rules on the source's style (quotes, closed void elements) are off: the
// browser serialises the DOM in its own way.

import type { Page } from "@playwright/test";
import { HtmlValidate, StaticConfigLoader } from "html-validate";

const validator = new HtmlValidate(
  new StaticConfigLoader({
    extends: ["html-validate:recommended", "html-validate:document", "html-validate:prettier"],
    rules: {
      "attribute-boolean-style": "off",
      "attribute-empty-style": "off",
      "no-trailing-whitespace": "off",
      // The page's policy refuses inline styles in HTML; those in the DOM were set by scripts.
      "no-inline-style": "off",
      // A list may have a name.
      "aria-label-misuse": ["error", { allowAnyNamable: true }],
      // A native list cannot be searched.
      "prefer-native-element": ["error", { exclude: ["listbox"] }],
      // A row of the board is a box, which removes its implicit role: it needs an explicit one.
      "no-redundant-role": "off",
      // Everything is of our own origin, which the policy enforces.
      "require-sri": "off",
      // React makes ids that begin with an underscore.
      "valid-id": ["error", { relaxed: true }],
    },
  }),
);

/** The faults of an HTML text; empty if it has none. */
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

/** The same for a page's present DOM. */
export async function pageFaults(page: Page): Promise<string[]> {
  return htmlFaults(await page.content());
}
