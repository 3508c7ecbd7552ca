/** The sign of a category: a small signal flag, always next to its name. */
import { type CSSProperties, memo } from "react";
import styles from "./category-sign.module.css";
import { signOf } from "./signs";

/** The hue of a category in degrees, derived only from its name. */
export function hueOf(category: string): number {
  return signOf(category).hue;
}

export const CategorySign = memo(function CategorySign({ category }: { category: string }) {
  const { hue, path } = signOf(category);
  const style = { "--hue": hue } as CSSProperties;
  return (
    <svg
      viewBox="0 0 12 12"
      className={styles.sign}
      style={style}
      aria-hidden="true"
      focusable="false"
    >
      <path d={path} fillRule="evenodd" />
    </svg>
  );
});
