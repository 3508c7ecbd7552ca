/** The team's progress in each category. */
import { type Board, groupByCategory, type Team } from "../../domain/board";
import { CategoryProgress } from "../../ui/category-progress/category-progress";
import styles from "./team.module.css";

export function Categories({ board, team }: { board: Board; team: Team }) {
  const groups = groupByCategory(board.challenges);
  if (groups.length === 0) return null;
  return (
    <div className={styles.categories}>
      <CategoryProgress
        as="h2"
        category={null}
        solved={team.solves.size}
        all={board.challenges.length}
      />
      <div className={styles.each}>
        {groups.map(({ category, challenges }) => (
          <CategoryProgress
            key={category}
            as="h3"
            category={category}
            solved={challenges.filter(({ id }) => team.solves.has(id)).length}
            all={challenges.length}
          />
        ))}
      </div>
    </div>
  );
}
