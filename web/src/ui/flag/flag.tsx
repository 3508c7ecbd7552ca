/** A country's flag as SVG, since not every platform has flag emoji. */
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

function flagOf(code: string, locale: string) {
  const src = flagImages[code.toLowerCase()];
  const title = countryName(code, locale);
  if (src) return { tag: "img", attributes: { alt: title, title, loading: "lazy", src } } as const;
  return { tag: "span", attributes: { role: "img", "aria-label": title, title } } as const;
}

export function Flag({ code }: { code: string }) {
  const { tag: Tag, attributes } = flagOf(code, useMessages().locale);
  const text = Tag === "span" ? flagEmoji(code) : undefined;
  return (
    <Tag className={styles.flag} {...attributes}>
      {text}
    </Tag>
  );
}

/** The same as a `Flag`, without React. */
export function drawFlag(code: string, locale: string): Element {
  const { tag, attributes } = flagOf(code, locale);
  const flag = document.createElement(tag);
  flag.className = styles.flag ?? "";
  for (const [name, value] of Object.entries(attributes)) flag.setAttribute(name, value);
  if (tag === "span") flag.textContent = flagEmoji(code);
  return flag;
}
