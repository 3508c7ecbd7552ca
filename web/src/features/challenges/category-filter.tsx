/** "Hide Categories": a toggle button for each category; pressed means hidden. */
import { useMessages } from "../../messages/language";
import { CategorySign } from "../../ui/category-sign/category-sign";
import { EyeIcon } from "../../ui/icons/icons";
import styles from "./category-filter.module.css";

interface CategoryFilterProps {
  categories: readonly string[];
  hidden: readonly string[];
  onToggle: (category: string) => void;
  /** Sets the hidden categories. */
  onHide: (hidden: readonly string[]) => void;
}

export function CategoryFilter({ categories, hidden, onToggle, onHide }: CategoryFilterProps) {
  const { challenges, find: words } = useMessages();
  if (categories.length === 0) return null;
  const isHidden = (category: string) => hidden.includes(category);
  const shown = categories.filter((category) => !isHidden(category));
  return (
    <section aria-labelledby="hide-categories" className={styles.filter}>
      <header className={styles.head}>
        <h2 id="hide-categories">{challenges.hideCategories}</h2>
        {shown.length < categories.length && (
          <button type="button" className={styles.all} onClick={() => onHide([])}>
            {words.showAll}
          </button>
        )}
      </header>
      <ul className={styles.badges}>
        {categories.map((category) => (
          <li key={category} className={styles.badge}>
            <button
              type="button"
              className={styles.toggle}
              aria-pressed={isHidden(category)}
              onClick={() => onToggle(category)}
            >
              <CategorySign category={category} />
              <span>{category}</span>
            </button>
            {categories.length > 1 && (
              <button
                type="button"
                className={styles.only}
                aria-label={words.only(category)}
                title={words.only(category)}
                data-on={(shown.length === 1 && shown[0] === category) || undefined}
                onClick={() => onHide(categories.filter((one) => one !== category))}
              >
                <EyeIcon />
              </button>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
