/** The event's accent colour, with black or white text, whichever has more contrast. */
import { useEffect } from "react";

const LONG = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i;
const SHORT = /^#([0-9a-f])([0-9a-f])([0-9a-f])$/i;
/** Relative luminance at which black and white text contrast equally (WCAG 2). */
const LUMINANCE_MIDDLE = 0.179;

function linear(channel: number): number {
  const share = channel / 255;
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
}

/** The text colour for an accent `#rgb` or `#rrggbb`; null for anything else. */
export function textOnAccent(accent: string): "#000000" | "#ffffff" | null {
  const [, red = "", green = "", blue = ""] =
    LONG.exec(accent.replace(SHORT, "#$1$1$2$2$3$3")) ?? [];
  if (red === "") return null;
  const [r = 0, g = 0, b = 0] = [red, green, blue].map((hex) => linear(Number.parseInt(hex, 16)));
  const luminance = 0.2126 * r + 0.7152 * g + 0.0722 * b;
  return luminance > LUMINANCE_MIDDLE ? "#000000" : "#ffffff";
}

/** Sets the accent on the page; ignores anything but `#rgb` and `#rrggbb`. */
export function useAccent(accent: string | null): void {
  useEffect(() => {
    const onAccent = accent === null ? null : textOnAccent(accent);
    const { style } = document.documentElement;
    if (accent === null || onAccent === null) return;
    style.setProperty("--accent", accent);
    style.setProperty("--on-accent", onAccent);
    return () => {
      style.removeProperty("--accent");
      style.removeProperty("--on-accent");
    };
  }, [accent]);
}
