/**
 * A country's flag as SVG (emoji flags do not draw everywhere); the emoji is its text alternative.
 */
import { useSyncExternalStore } from "react";
import { useMessages } from "../messages/language";
import { loadChunk } from "./chunk";
import styles from "./flag.module.css";

const REGIONAL_A = 0x1f1e6;
const CODE = /^[A-Z]{2}$/;

/** The flag emoji of a two-letter code; the code itself when it is not one. */
export function flagEmoji(code: string): string {
  if (!CODE.test(code)) return code;
  const letters = [...code].map((letter) => REGIONAL_A + letter.charCodeAt(0) - 65);
  return String.fromCodePoint(...letters);
}

const names = new Map<string, Intl.DisplayNames>();

/** The name of a country in a language, EU, UN and XK included. */
export function countryName(code: string, locale: string): string {
  if (!CODE.test(code)) return code;
  const known =
    names.get(locale) ?? new Intl.DisplayNames([locale], { type: "region", fallback: "code" });
  names.set(locale, known);
  return known.of(code) ?? code;
}

// The 250 addresses are a chunk of their own, fetched with the first flag that is drawn.
let addresses: Readonly<Record<string, string>> | null = null;
let asked = false;
const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  if (!asked) {
    asked = true;
    loadChunk("flags", () => import("./flag-images")).then(
      ({ flagImages }) => {
        addresses = flagImages;
        for (const one of listeners) one();
      },
      () => {
        asked = false; // the emoji stays; the next flag tries again
      },
    );
  }
  return () => listeners.delete(listener);
}

export function Flag({ code }: { code: string }) {
  const { locale } = useMessages();
  const images = useSyncExternalStore(subscribe, () => addresses);
  const address = images?.[code.toLowerCase()];
  const name = countryName(code, locale);
  if (!address) {
    return (
      <span className={styles.flag} role="img" aria-label={flagEmoji(code)} title={name}>
        {images ? flagEmoji(code) : ""}
      </span>
    );
  }
  return (
    <img className={styles.flag} src={address} alt={flagEmoji(code)} title={name} loading="lazy" />
  );
}
