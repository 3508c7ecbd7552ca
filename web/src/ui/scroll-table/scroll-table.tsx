/** A table in a scrollable region. Numeric cells have the class `number`. */
import type { ReactNode } from "react";
import styles from "./scroll-table.module.css";

interface ScrollTableProps {
  label: string;
  className: string | undefined;
  children: ReactNode;
}

export function ScrollTable({ label, className, children }: ScrollTableProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it must be reachable by keyboard.
    <section className={`${styles.scroll} ${className}`} tabIndex={0} aria-label={label}>
      <table role="table">{children}</table>
    </section>
  );
}
