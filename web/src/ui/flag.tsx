/**
 * A country's flag as SVG (emoji flags do not draw everywhere); the emoji is its text alternative.
 */
import type { PointerEvent } from "react";
import { useMessages } from "../messages/language";
import styles from "./flag.module.css";
import { flagImages } from "./flag-images";

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

export function Flag({ code }: { code: string }) {
  const { locale } = useMessages();
  const address = flagImages[code.toLowerCase()];
  if (!address) {
    return (
      <span className={styles.flag} role="img" aria-label={flagEmoji(code)}>
        {flagEmoji(code)}
      </span>
    );
  }
  // The tooltip is looked up when somebody points: the first look-up costs as much as a board.
  const name = (event: PointerEvent<HTMLImageElement>) => {
    event.currentTarget.title = countryName(code, locale);
  };
  return (
    <img
      className={styles.flag}
      src={address}
      alt={flagEmoji(code)}
      onPointerEnter={name}
      loading="lazy"
    />
  );
}
