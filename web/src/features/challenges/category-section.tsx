/** A category's cards under its name, with the team's progress. */
import type { ReactNode } from "react";
import type { Section } from "../../domain/find-challenges";
import { CategoryProgress } from "../../ui/category-progress/category-progress";
import styles from "./challenges.module.css";

export function CategorySection(props: { section: Section<unknown>; children: ReactNode }) {
  return (
    <div className={styles.section} data-listed>
      <CategoryProgress {...props.section} as="h2" className={styles.sectionHead} />
      {props.children}
    </div>
  );
}
