/** "Hide Categories": one toggle button per category; pressed means hidden. */
import { useMessages } from "../../messages/language";
import { CategoryDot } from "../../ui/category-dot/category-dot";
import styles from "./challenges.module.css";

interface CategoryFilterProps {
  categories: readonly string[];
  hidden: ReadonlySet<string>;
  onToggle: (category: string) => void;
}

export function CategoryFilter({ categories, hidden, onToggle }: CategoryFilterProps) {
  const { challenges } = useMessages();
  if (categories.length === 0) return null;
  return (
    <section aria-labelledby="hide-categories">
      <h2 id="hide-categories" className={styles.sideTitle}>
        {challenges.hideCategories}
      </h2>
      <ul className={styles.badges}>
        {categories.map((category) => (
          <li key={category}>
            <button
              type="button"
              className={styles.badge}
              aria-pressed={hidden.has(category)}
              onClick={() => onToggle(category)}
            >
              <CategoryDot category={category} />
              {category}
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
