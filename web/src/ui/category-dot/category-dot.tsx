/** A dot in the colour of a category: the same one wherever its name stands, and never alone. */
import type { CSSProperties } from "react";
import styles from "./category-dot.module.css";

const HUES = 12;
/** With it the usual eight categories have eight hues. */
const HASHES = 251;

/** The hue of a category in degrees, of its name alone: it needs no list of the others. */
export function hueOf(category: string): number {
  let hash = 0;
  for (const letter of category.toLowerCase()) {
    hash = (hash * 31 + (letter.codePointAt(0) ?? 0)) % HASHES;
  }
  return (hash % HUES) * (360 / HUES);
}

export function CategoryDot({ category }: { category: string }) {
  const style = { "--hue": hueOf(category) } as CSSProperties;
  return <span aria-hidden="true" className={styles.dot} style={style} />;
}
