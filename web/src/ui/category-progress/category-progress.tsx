/** A category's name, and how many of its challenges the team has solved. */
import { useMessages } from "../../messages/language";
import { CategoryDot } from "../category-dot/category-dot";
import styles from "./category-progress.module.css";

interface CategoryProgressProps {
  /** Null for all challenges, empty for those without a category. */
  category: string | null;
  solved: number;
  all: number;
  /** The heading's element. */
  as: "h2" | "h3";
  className?: string | undefined;
}

export function CategoryProgress(props: CategoryProgressProps) {
  const { category, solved, all, as: Heading, className = "" } = props;
  const { find: words } = useMessages();
  return (
    <header className={`${styles.head} ${className}`}>
      <Heading>
        {category && <CategoryDot category={category} />}
        {category === null ? words.everyCategory : category || words.noCategory}
      </Heading>
      <p className="quiet">{words.progress(solved, all)}</p>
      <progress aria-hidden="true" value={solved} max={all} />
    </header>
  );
}
