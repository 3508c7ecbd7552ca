/**
 * ALTCHA, a self-hosted proof of work: its widget, with workers and style sheet from our own
 * origin.
 */
import "altcha/external";
import "altcha/altcha.css";
import "altcha/i18n/it";
import pbkdf2Address from "altcha/workers/pbkdf2?worker&url";
import shaAddress from "altcha/workers/sha?worker&url";
import { ownWorker } from "./trusted";
import type { Mounted } from "./widget";

for (const digest of ["SHA-256", "SHA-384", "SHA-512"]) {
  globalThis.$altcha.algorithms.set(`PBKDF2/${digest}`, () => ownWorker(pbkdf2Address));
  globalThis.$altcha.algorithms.set(digest, () => ownWorker(shaAddress));
}

const { defaults, i18n } = globalThis.$altcha;
defaults.set({ hideFooter: true, humanInteractionSignature: false });
// The footer is the only text that the widget sets as HTML, even when hidden, unless it is empty.
for (const language of ["en", "it"]) {
  i18n.set(language, { ...i18n.get("en"), ...i18n.get(language), footer: "" });
}

/** Mounts the widget in `place`; `onToken` gets each new token, or null when it expires. */
export function mountAltcha(
  place: HTMLElement,
  { challengeUrl, language }: { challengeUrl: string; language: string },
  onToken: (token: string | null) => void,
): Mounted {
  const widget = document.createElement("altcha-widget");
  widget.setAttribute("challenge", challengeUrl);
  widget.setAttribute("language", language);
  widget.setAttribute("name", "captcha");
  widget.addEventListener("statechange", (event) => {
    const detail: unknown = event instanceof CustomEvent ? event.detail : null;
    const known = typeof detail === "object" && detail !== null && "payload" in detail;
    onToken(known && typeof detail.payload === "string" ? detail.payload : null);
  });
  place.append(widget);
  return { reset: () => widget.reset(), unmount: () => widget.remove() };
}
