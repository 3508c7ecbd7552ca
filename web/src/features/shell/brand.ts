/** The event's colors and heading font. Text on the accent is black or white, by contrast. */
import { useEffect } from "react";
import { type SiteInfo, useSite } from "../../api/site";

const LONG = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i;
const SHORT = /^#([0-9a-f])([0-9a-f])([0-9a-f])$/i;
/** Relative luminance at which black and white text contrast equally (WCAG 2). */
const LUMINANCE_MIDDLE = 0.179;

function linear(channel: number): number {
  const share = channel / 255;
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
}

/** The text color for an accent `#rgb` or `#rrggbb`; null for anything else. */
export function textOnAccent(accent: string): "#000000" | "#ffffff" | null {
  const [, red = "", green = "", blue = ""] =
    LONG.exec(accent.replace(SHORT, "#$1$1$2$2$3$3")) ?? [];
  if (red === "") return null;
  const [r = 0, g = 0, b = 0] = [red, green, blue].map((hex) => linear(Number.parseInt(hex, 16)));
  const luminance = 0.2126 * r + 0.7152 * g + 0.0722 * b;
  return luminance > LUMINANCE_MIDDLE ? "#000000" : "#ffffff";
}

/** The values of `--accent` and `--on-accent`; null for anything but `#rgb` and `#rrggbb`. */
export function accentTokens(accent: string, dark: string | null): [string, string] | null {
  const on = textOnAccent(accent);
  if (on === null) return null;
  const onDark = dark === null ? null : textOnAccent(dark);
  if (dark === null || onDark === null) return [accent, on];
  return [`light-dark(${accent}, ${dark})`, `light-dark(${on}, ${onDark})`];
}

/** Sets custom properties of the page while mounted. */
function useProperties(properties: Readonly<Record<string, string | undefined>>): void {
  const key = JSON.stringify(properties);
  useEffect(() => {
    const { style } = document.documentElement;
    const given: [string, string][] = Object.entries(JSON.parse(key));
    for (const [name, value] of given) style.setProperty(name, value);
    return () => {
      for (const [name] of given) style.removeProperty(name);
    };
  }, [key]);
}

const FONT = "Event's own";
/** Weights that the font file covers. Without them, the browser would synthesize a bold font. */
const WEIGHTS = "100 900";

function useFont(font: SiteInfo["headingFont"]): string | undefined {
  const address = font && font !== "mono" ? font : null;
  useEffect(() => {
    if (address === null) return;
    const face = new FontFace(FONT, `url("${address}")`, { weight: WEIGHTS, display: "swap" });
    document.fonts.add(face);
    return () => {
      document.fonts.delete(face);
    };
  }, [address]);
  if (font === "mono") return "var(--font-mono)";
  return address === null ? undefined : `"${FONT}", var(--font)`;
}

export function useBrand(): void {
  const site = useSite();
  const tokens = accentTokens(site?.accent ?? "", site?.accentDark ?? null);
  const font = useFont(site?.headingFont ?? null);
  useProperties({
    "--accent": tokens?.[0],
    "--accent-fill": tokens?.[0],
    "--accent-edge": tokens ? "transparent" : undefined,
    "--on-accent": tokens?.[1],
    "--font-heading": font,
  });
}
