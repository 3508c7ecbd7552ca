/** ALTCHA: a self-hosted proof of work, with workers and style sheet from the site's origin. */
import "altcha/external";
import "altcha/altcha.css";
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

/** Loaders of the widget's texts by the site's language code. */
const TEXTS: Readonly<Record<string, [name: string, load: () => Promise<unknown>]>> = {
  ar: ["ar", () => import("altcha/i18n/ar")],
  de: ["de", () => import("altcha/i18n/de")],
  es: ["es-es", () => import("altcha/i18n/es-es")],
  fr: ["fr-fr", () => import("altcha/i18n/fr-fr")],
  it: ["it", () => import("altcha/i18n/it")],
  ja: ["ja", () => import("altcha/i18n/ja")],
  pl: ["pl", () => import("altcha/i18n/pl")],
  pt: ["pt-br", () => import("altcha/i18n/pt-br")],
  zh: ["zh-cn", () => import("altcha/i18n/zh-cn")],
};

/** Loads the widget's texts in a language, or in English if that fails. */
async function speak(language: string): Promise<void> {
  const [name, load] = TEXTS[language] ?? ["en", async () => {}];
  await load().catch(() => undefined);
  // The widget sets only its footer as HTML, even when hidden, unless the footer is empty.
  i18n.set(language, { ...i18n.get("en"), ...i18n.get(name), footer: "" });
}

/** Mounts the widget in `place`; `onToken` gets each new token, or null when it expires. */
export async function mountAltcha(
  place: HTMLElement,
  { challengeUrl, language }: { challengeUrl: string; language: string },
  onToken: (token: string | null) => void,
): Promise<Mounted> {
  await speak(language);
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
