/** Fields of the branding form, and their keys in `[site]`. Pure. */
import type { Settings } from "../../../../api/organize-settings";
import { isRecord, textOr } from "../../../../api/unknown";
import { type Row, rowsOfPart, textOfPart, type Value, type Values } from "../../forms/values";

export const TEXTS = ["banner", "accent", "accent_dark", "microblog", "chat"] as const;
/** Image fields; the value is a digest or empty. */
export const PICTURES = ["logo", "logo_dark", "favicon", "hero", "preview"] as const;
/** Heading font: a built-in font, a digest, or empty. */
export const FONT = "heading_font";
export const LINK = ["name", "link"] as const;
export const SPONSOR = ["name", "link", "tier", "logo"] as const;

/** Name of the monospace font in `event.toml`. */
const MONO = "JetBrains Mono";

const digestOf = (file: unknown) => (isRecord(file) ? textOr(file.digest, "") : "");

function fontOf(font: unknown): string {
  return isRecord(font) ? digestOf(font.file) : textOr(font, "");
}

function rowsOf(items: unknown, names: readonly string[]): readonly Row[] {
  const row = (item: unknown): Row => {
    const of = isRecord(item) ? item : {};
    const text = (name: string) => (name === "logo" ? digestOf(of[name]) : textOr(of[name], ""));
    return Object.fromEntries(names.map((name) => [name, text(name)]));
  };
  return Array.isArray(items) ? items.map(row) : [];
}

export function brandNow({ sections }: Settings): Values {
  const { site } = sections;
  const set = isRecord(site) ? site : {};
  return {
    ...Object.fromEntries(TEXTS.map((key) => [key, textOr(set[key], "")])),
    ...Object.fromEntries(PICTURES.map((key) => [key, digestOf(set[key])])),
    [FONT]: fontOf(set[FONT]),
    links: rowsOf(set.links, LINK),
    sponsors: rowsOf(set.sponsors, SPONSOR),
  };
}

const fileOf = (digest: string) => (digest === "" ? null : { digest });

function itemOf(row: Row): Record<string, unknown> {
  const set = Object.entries(row).filter(([, text]) => text.trim() !== "");
  const value = ([name, text]: readonly [string, string]) =>
    [name, name === "logo" ? fileOf(text) : text.trim()] as const;
  return Object.fromEntries(set.map(value));
}

function keyOf(key: string, part: Value | undefined): unknown {
  if (key === "links" || key === "sponsors") {
    const items = rowsOfPart(part)
      .map(itemOf)
      .filter((item) => Object.keys(item).length > 0);
    return items.length === 0 ? null : items;
  }
  const text = textOfPart(part).trim();
  if (PICTURES.some((one) => one === key)) return fileOf(text);
  if (key === FONT) return text === "mono" ? MONO : fileOf(text);
  return text === "" ? null : text;
}

/** Keys of `[site]` for the changed fields; null removes a key. */
export function brandOf(values: Values, changed: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(changed.map((key) => [key, keyOf(key, values[key])]));
}
