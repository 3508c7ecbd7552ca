/** A category's cards under its name, with how many of them the team has solved. */
import type { ReactNode } from "react";
import type { Section } from "../../domain/find-challenges";
import { useMessages } from "../../messages/language";
import { CategoryDot } from "../../ui/category-dot/category-dot";
import styles from "./challenges.module.css";

interface CategorySectionProps {
  section: Section<unknown>;
  children: ReactNode;
}

export function CategorySection({ section, children }: CategorySectionProps) {
  const { find: words } = useMessages();
  const { category, solved, all } = section;
  const title = category === null ? words.everyCategory : category || words.noCategory;
  return (
    <div className={styles.section}>
      <header className={styles.sectionHead}>
        <h2>
          {category && <CategoryDot category={category} />}
          {title}
        </h2>
        <p>{words.progress(solved, all)}</p>
        <progress aria-hidden="true" value={solved} max={all} />
      </header>
      {children}
    </div>
  );
}
