/** A category's cards under its name, with how many of them the team has solved. */
import type { ReactNode } from "react";
import type { Section } from "../../domain/find-challenges";
import { CategoryProgress } from "../../ui/category-progress/category-progress";
import styles from "./challenges.module.css";

interface CategorySectionProps {
  section: Section<unknown>;
  children: ReactNode;
}

export function CategorySection({ section, children }: CategorySectionProps) {
  const { category, solved, all } = section;
  return (
    <div className={styles.section}>
      <CategoryProgress
        category={category}
        solved={solved}
        all={all}
        as="h2"
        className={styles.sectionHead}
      />
      {children}
    </div>
  );
}
