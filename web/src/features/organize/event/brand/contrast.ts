/** Contrast of accent colors with the themes' backgrounds, as `flagship check` computes it. */

/** Backgrounds of the themes (`tokens.css`). */
export const GROUNDS = { light: "#f4f6f8", dark: "#080c12" } as const;
export type Theme = keyof typeof GROUNDS;

/** Minimum contrast that the server accepts. */
export const CONTRAST_MIN = 3;
/** Contrast that is enough for text. */
const CONTRAST_TEXT = 4.5;

function linear(channel: number): number {
  const share = channel / 255;
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
}

/** Returns the channels of `#rgb` or `#rrggbb`; null for any other text. */
function channelsOf(color: string): readonly number[] | null {
  const long = color.trim().replace(/^#(.)(.)(.)$/, "#$1$1$2$2$3$3");
  if (!/^#[0-9a-f]{6}$/i.test(long)) return null;
  return [1, 3, 5].map((at) => Number.parseInt(long.slice(at, at + 2), 16));
}

function luminanceOf(color: string): number | null {
  const channels = channelsOf(color);
  if (!channels) return null;
  const [red = 0, green = 0, blue = 0] = channels.map(linear);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Contrast of two colors, from 1 to 21; null if one is not a color. */
export function contrastOf(one: string, other: string): number | null {
  const [first, second] = [luminanceOf(one), luminanceOf(other)];
  if (first === null || second === null) return null;
  return (Math.max(first, second) + 0.05) / (Math.min(first, second) + 0.05);
}

/** Color of text on an accent: black or white, whichever has more contrast. */
export function textOn(accent: string): "#000000" | "#ffffff" {
  const black = contrastOf(accent, "#000000") ?? 21;
  return black >= (contrastOf(accent, "#ffffff") ?? 1) ? "#000000" : "#ffffff";
}

export type Verdict = "good" | "enough" | "low";

/** Result for the accent of a theme; null without a valid color. */
export function verdictOf(accent: string, theme: Theme) {
  const ratio = contrastOf(accent, GROUNDS[theme]);
  if (ratio === null) return null;
  const verdict: Verdict = ratio < CONTRAST_MIN ? "low" : ratio < CONTRAST_TEXT ? "enough" : "good";
  // Rounded down, so that 2.99 does not read as 3.
  return { ratio: (Math.floor(ratio * 10) / 10).toFixed(1), verdict };
}
