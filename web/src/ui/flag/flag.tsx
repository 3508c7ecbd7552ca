/**
 * A country's flag from the sprite of all flags, since not every platform has flag emoji.
 * `tools/flags` makes the sprite.
 */
import countries from "../../../../vectors/countries.json";
import { useMessages } from "../../messages/language";
import styles from "./flag.module.css";
import sprite from "./flags.svg?url";

const REGIONAL_A = 0x1f1e6;
const CODE = /^[A-Z]{2}$/;
const SVG = "http://www.w3.org/2000/svg";

/** The flag emoji of a two-letter code, or the text itself if it is not one. */
export function flagEmoji(code: string): string {
  if (!CODE.test(code)) return code;
  const letters = [...code].map((letter) => REGIONAL_A + letter.charCodeAt(0) - 65);
  return String.fromCodePoint(...letters);
}

/** English names avoid `Intl`, whose first use takes as long as rendering a board. */
const ENGLISH: ReadonlyMap<string, string> = new Map(
  countries.map(({ code, name }) => [code, name]),
);
const names = new Map<string, Intl.DisplayNames>();

/** The name of a country in a language, including EU, UN and XK. */
export function countryName(code: string, locale: string): string {
  if (!CODE.test(code)) return code;
  const english = locale.startsWith("en") ? ENGLISH.get(code) : undefined;
  if (english !== undefined) return english;
  const known =
    names.get(locale) ?? new Intl.DisplayNames([locale], { type: "region", fallback: "code" });
  names.set(locale, known);
  return known.of(code) ?? code;
}

/** The sprite's symbol of a country, or null if the code has none. */
function symbolOf(code: string): string | null {
  return ENGLISH.has(code) ? `${sprite}#${code.toLowerCase()}` : null;
}

export function Flag({ code }: { code: string }) {
  const name = countryName(code, useMessages().locale);
  const symbol = symbolOf(code);
  return (
    <span role="img" aria-label={name} title={name} className={styles.flag}>
      {symbol ? (
        <svg aria-hidden="true" focusable="false">
          <use href={symbol} />
        </svg>
      ) : (
        flagEmoji(code)
      )}
    </span>
  );
}

/** The same as a `Flag`, without React. */
export function drawFlag(code: string, locale: string): Element {
  const flag = document.createElement("span");
  flag.className = styles.flag ?? "";
  flag.title = countryName(code, locale);
  flag.setAttribute("role", "img");
  flag.setAttribute("aria-label", flag.title);
  const symbol = symbolOf(code);
  if (!symbol) {
    flag.textContent = flagEmoji(code);
    return flag;
  }
  const image = document.createElementNS(SVG, "svg");
  image.setAttribute("aria-hidden", "true");
  const use = document.createElementNS(SVG, "use");
  use.setAttribute("href", symbol);
  image.append(use);
  flag.append(image);
  return flag;
}
