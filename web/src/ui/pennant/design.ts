/**
 * The design of a team's pennant, derived only from its name. The vocabulary is that of the
 * international code of signal flags. No outline is a rectangle, so that a pennant is never
 * mistaken for the flag of a country.
 */

/** Flag colors, in the order of the classes of the style sheet. */
export const COLORS = [
  "white",
  "yellow",
  "sky",
  "orange",
  "red",
  "green",
  "blue",
  "black",
] as const;
export type Color = (typeof COLORS)[number];

/** Colors that are readable beside each other: their contrast is at least 3:1. */
export const PARTNERS: Readonly<Record<Color, readonly Color[]>> = {
  white: ["red", "green", "blue", "black"],
  yellow: ["red", "green", "blue", "black"],
  sky: ["red", "green", "blue", "black"],
  orange: ["blue", "black"],
  red: ["white", "yellow", "sky", "black"],
  green: ["white", "yellow", "sky", "black"],
  blue: ["white", "yellow", "sky", "orange"],
  black: ["white", "yellow", "sky", "orange", "red", "green"],
};
const PAIRS = COLORS.flatMap((field) => PARTNERS[field].map((charge) => [field, charge] as const));

/** Outlines in a box of 24×18 units, with the mast at the start. */
export const OUTLINES = {
  tapered: "M0 0L24 4V14L0 18z",
  swallowtail: "M0 0H24L18 9L24 18H0z",
  burgee: "M0 0L24 4L18.5 9L24 14L0 18z",
  triangle: "M0 0L24 8V10L0 18z",
} as const;
type Outline = keyof typeof OUTLINES;
const OUTLINE_NAMES = Object.keys(OUTLINES) as Outline[];

/** A geometry: the path of its charge, and that of a third color on or beside the charge. */
interface Geometry {
  readonly charge: string;
  readonly accent?: string;
}

/** Disc around the center of the body, which is nearer to the mast than that of the box. */
const disc = (r: number) => `M${9 - r} 9a${r} ${r} 0 1 1 ${2 * r} 0a${r} ${r} 0 1 1 ${-2 * r} 0z`;

export const GEOMETRIES = {
  cross: { charge: "M6 0h6v18H6zM0 6h24v6H0z", accent: "M8 0h2v18H8zM0 8h24v2H0z" },
  saltire: { charge: "M0 0h4L22 15v3h-2L0 3zM0 18h4L22 3V0h-2L0 15z" },
  quarters: { charge: "M0 0h9v9H0zM9 9h15v9H9z" },
  border: { charge: "M4 4.5L15 6.5V11.5L4 13.5z", accent: "M6.5 7.2L12 8V10L6.5 10.8z" },
  disc: { charge: disc(5), accent: disc(2.2) },
  stripes: { charge: "M0 3.6h24v3.6H0zM0 10.8h24v3.6H0z" },
  fess: { charge: "M0 6h24v6H0z" },
  pale: { charge: "M6 0h6v18H6z", accent: "M12 0h12v18H12z" },
  paly: { charge: "M4 0h4v18H4zM12 0h4v18h-4zM20 0h4v18h-4z" },
  halves: { charge: "M10 0h14v18H10z" },
  decks: { charge: "M0 9h24v9H0z" },
  pile: { charge: "M0 0L13 9L0 18z", accent: "M0 4.2L7 9L0 13.8z" },
  diamond: { charge: "M2.5 9L9 2.5L15.5 9L9 15.5z", accent: "M6.5 9L9 6.5L11.5 9L9 11.5z" },
  checks: {
    charge: "M0 0h6v6H0zM12 0h6v6h-6zM6 6h6v6H6zM18 6h6v6h-6zM0 12h6v6H0zM12 12h6v6h-6z",
  },
  bend: { charge: "M0 0h6L24 13.5V18L0 4.5z" },
  diagonal: { charge: "M0 18L20 0H24V18z" },
  chevron: { charge: "M3 0h7l7 9-7 9H3l7-9z" },
  canton: { charge: "M0 0h10v9H0z", accent: "M3 2.5h4v4H3z" },
} as const satisfies Readonly<Record<string, Geometry>>;
type GeometryName = keyof typeof GEOMETRIES;
const GEOMETRY_NAMES = Object.keys(GEOMETRIES) as GeometryName[];

interface PennantDesign {
  readonly outline: Outline;
  readonly geometry: GeometryName;
  readonly field: Color;
  readonly charge: Color;
  /** Third color, for a geometry that has one. */
  readonly accent: Color | null;
}

/** A 32-bit hash of a text (FNV-1a with the last step of MurmurHash3, which spreads the bits). */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

export function pennantOf(name: string): PennantDesign {
  let rest = hashOf(name);
  const pick = <Item>(items: readonly Item[]): Item => {
    const item = items[rest % items.length] as Item;
    rest = Math.floor(rest / items.length);
    return item;
  };
  const outline = pick(OUTLINE_NAMES);
  const geometry = pick(GEOMETRY_NAMES);
  const [field, charge] = pick(PAIRS);
  const accents = PARTNERS[charge].filter((color) => color !== field);
  const accent = "accent" in GEOMETRIES[geometry] ? pick(accents) : null;
  return { outline, geometry, field, charge, accent };
}

/** Paths of a design, in the order of painting. A path without a color is the edge. */
export function pathsOf(design: PennantDesign): { d: string; color: Color | null }[] {
  const { outline, geometry, charge, accent } = design;
  const shapes: Geometry = GEOMETRIES[geometry];
  return [
    { d: shapes.charge, color: charge },
    ...(accent && shapes.accent ? [{ d: shapes.accent, color: accent }] : []),
    { d: OUTLINES[outline], color: null },
  ];
}
