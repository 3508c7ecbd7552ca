/**
 * A country's flag as SVG (not every platform has flag emoji); the country's name is its text
 * alternative.
 */
import countries from "../../../../vectors/countries.json";
import { useMessages } from "../../messages/language";
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

/** English names need no `Intl`, whose first use costs as much as rendering a board. */
const ENGLISH: ReadonlyMap<string, string> = new Map(
  countries.map(({ code, name }) => [code, name]),
);
const names = new Map<string, Intl.DisplayNames>();

/** The name of a country in a language, EU, UN and XK included. */
export function countryName(code: string, locale: string): string {
  if (!CODE.test(code)) return code;
  const english = locale.startsWith("en") ? ENGLISH.get(code) : undefined;
  if (english !== undefined) return english;
  const known =
    names.get(locale) ?? new Intl.DisplayNames([locale], { type: "region", fallback: "code" });
  names.set(locale, known);
  return known.of(code) ?? code;
}

export function Flag({ code }: { code: string }) {
  const { locale } = useMessages();
  const address = flagImages[code.toLowerCase()];
  const name = countryName(code, locale);
  if (!address) {
    return (
      <span className={styles.flag} role="img" aria-label={name} title={name}>
        {flagEmoji(code)}
      </span>
    );
  }
  return <img className={styles.flag} src={address} alt={name} title={name} loading="lazy" />;
}

/** The same as a `Flag`, without React. */
export function drawFlag(code: string, locale: string): Element {
  const address = flagImages[code.toLowerCase()];
  const name = countryName(code, locale);
  if (!address) {
    const text = document.createElement("span");
    text.className = styles.flag ?? "";
    text.setAttribute("role", "img");
    text.setAttribute("aria-label", name);
    text.title = name;
    text.textContent = flagEmoji(code);
    return text;
  }
  const image = document.createElement("img");
  image.className = styles.flag ?? "";
  image.loading = "lazy";
  image.alt = name;
  image.title = name;
  image.src = address;
  return image;
}
