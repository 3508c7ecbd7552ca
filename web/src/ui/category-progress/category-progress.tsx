/** A category's name and the team's progress in it. */
import { useMessages } from "../../messages/language";
import { CategorySign } from "../category-sign/category-sign";
import styles from "./category-progress.module.css";

interface CategoryProgressProps {
  /** Null for all challenges, empty for those without a category. */
  category: string | null;
  solved: number;
  all: number;
  /** Element of the heading. */
  as: "h2" | "h3";
  className?: string | undefined;
}

interface ProgressLineProps {
  solved: number;
  all: number;
  className?: string | undefined;
}

/** The share of solved challenges as a line. The text beside it has the numbers. */
export function ProgressLine({ solved, all, className = "" }: ProgressLineProps) {
  return (
    <progress
      aria-hidden="true"
      value={solved}
      max={all}
      className={`${styles.line} ${className}`}
    />
  );
}

export function CategoryProgress(props: CategoryProgressProps) {
  const { category, solved, all, as: Heading, className = "" } = props;
  const { find: words } = useMessages();
  return (
    <header className={`${styles.head} ${className}`}>
      <Heading>
        {category && <CategorySign category={category} />}
        {category === null ? words.everyCategory : category || words.noCategory}
      </Heading>
      <p className="quiet">{words.progress(solved, all)}</p>
      <ProgressLine solved={solved} all={all} />
    </header>
  );
}
