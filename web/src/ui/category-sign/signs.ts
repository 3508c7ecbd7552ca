/**
 * The sign and the hue of a category, derived only from its name. Hues near crimson are left out,
 * because crimson is the color of first bloods.
 */

/** A path in a box of 12×12 units. */
type Path = string;

const ring = (x: number, y: number, r: number): Path =>
  `M${x - r} ${y}a${r} ${r} 0 1 1 ${2 * r} 0a${r} ${r} 0 1 1 ${-2 * r} 0z`;

/** Signs of the usual categories. Parts of a path that overlap are holes. */
const USUAL = {
  web: `${ring(6, 6, 5)}M5.4 0h1.2v12H5.4zM0 5.4h5.4v1.2H0zM6.6 5.4H12v1.2H6.6z`,
  crypto: `${ring(6, 4, 2.7)}M4.9 6.4h2.2l1.2 4.6H3.7z`,
  pwn: "M1 1h2.6L6 3.5 8.4 1H11v2.6L8.5 6 11 8.4V11H8.4L6 8.5 3.6 11H1V8.4L3.5 6 1 3.6z",
  rev: "M6 1.5v9L.5 6zM11.5 1.5v9L6 6z",
  forensics: `${ring(5, 5, 4)}${ring(5, 5, 2.1)}M8.2 6.9L11.6 10.2 10.2 11.6 6.9 8.2z`,
  misc: "M0 0h6v6H0zM6 6h6v6H6z",
  osint: `M.3 6Q6-1 11.7 6 6 13 .3 6z${ring(6, 6, 1.9)}`,
  hardware: "M1 1h10v10H1zM3 3v6h6V3zM4.5 4.5h3v3h-3z",
  network: "M4.5 0h3v4.5H12v3H7.5V12h-3V7.5H0v-3h4.5z",
  stego: "M1 0h2v12H1zM5 0h2v12H5zM9 0h2v12H9z",
  blockchain: "M0 0h4v4H0zM4 4h4v4H4zM8 8h4v4H8z",
  mobile: "M2.5 0h7v12h-7zM4.2 1.7v6.6h3.6V1.7z",
  programming: "M1 1h3.4L9 6l-4.6 5H1l4.6-5zM9 9h3v2H9z",
  welcome: "M0 0L12 6 0 12z",
  ai: "M6 0Q7 5 12 6 7 7 6 12 5 7 0 6 5 5 6 0z",
  cloud: "M3 10.2A2.8 2.8 0 0 1 2.9 4.7 3.4 3.4 0 0 1 9.3 4.6 2.8 2.8 0 0 1 9 10.2z",
} as const satisfies Readonly<Record<string, Path>>;
type Usual = keyof typeof USUAL;

const HUES: Readonly<Record<Usual, number>> = {
  web: 240,
  crypto: 300,
  pwn: 330,
  rev: 180,
  forensics: 120,
  misc: 60,
  osint: 90,
  hardware: 150,
  network: 210,
  stego: 270,
  blockchain: 60,
  mobile: 330,
  programming: 210,
  welcome: 90,
  ai: 270,
  cloud: 240,
};

/** Words of names by category. The first match counts. */
const WORDS: readonly (readonly [RegExp, Usual])[] = [
  [/block ?chain|web ?3|smart contract/, "blockchain"],
  [/web/, "web"],
  [/crypt/, "crypto"],
  [/\brev|reversing/, "rev"],
  [/pwn|binary|exploit/, "pwn"],
  [/forensic|dfir/, "forensics"],
  [/osint|recon/, "osint"],
  [/steg/, "stego"],
  [/hardware|embedded|\biot\b|radio/, "hardware"],
  [/mobile|android|\bios\b/, "mobile"],
  [/network/, "network"],
  [/program|coding|algorithm|\bppc\b/, "programming"],
  [/welcome|warm|sanity|intro/, "welcome"],
  [/\bai\b|\bml\b|\bllm/, "ai"],
  [/cloud/, "cloud"],
  [/misc|general/, "misc"],
];

/** Signs of all other categories: plain signal flags. */
const OTHERS: readonly Path[] = [
  "M6 0L12 6 6 12 0 6z",
  "M0 4h12v4H0z",
  "M0 12V0h12z",
  "M0 0h4l8 8v4L0 0M0 0v3.5L8.5 12H12z",
  "M0 1h12v2H0zM0 5h12v2H0zM0 9h12v2H0z",
  `${ring(6, 6, 4.2)}`,
  "M6 0h6v12H6z",
  "M0 12L6 0l6 12z",
  "M0 0h4v4H0zM8 0h4v4H8zM4 4h4v4H4zM0 8h4v4H0zM8 8h4v4H8z",
  "M0 0h7v7H0z",
];
const OTHER_HUES = 10;
const HUE_FIRST = 60;

/** The hue in degrees, and the path. */
export function signOf(category: string): { hue: number; path: Path } {
  const name = category.toLowerCase();
  const usual = WORDS.find(([words]) => words.test(name))?.[1];
  if (usual) return { hue: HUES[usual], path: USUAL[usual] };
  let hash = 0;
  for (const letter of name) hash = (hash * 31 + (letter.codePointAt(0) ?? 0)) % 0x7fffffff;
  const path = OTHERS[hash % OTHERS.length] ?? "";
  const hue = HUE_FIRST + 30 * (Math.floor(hash / OTHERS.length) % OTHER_HUES);
  return { hue, path };
}
