/** The facts of a challenge on its card: points, number of solves, and categories. */
import type { Challenge } from "../../api/calls";
import type { Derived } from "../../domain/challenges";
import { canFall, pointsOf } from "../../domain/points";
import { useMessages } from "../../messages/language";
import { CategorySign } from "../../ui/category-sign/category-sign";
import styles from "./card.module.css";
import { Difficulty } from "./labels";
import { FlagsFound } from "./limits";

interface FactProps {
  challenge: Derived<Challenge>;
}

/** Points of the team's solve, or of the next one. A sealed solve never has more than now. */
export function Points({ challenge }: FactProps) {
  const { challenges: words, sealed } = useMessages();
  // A sealed solve counts for its own points, but is not among the public solves.
  const nsolves = challenge.nsolves + (challenge.sealed ? 1 : 0);
  const points = pointsOf({ ...challenge, nsolves }, challenge.solved_pos ?? undefined);
  const isGone = challenge.challengeType === "speedrun" && !challenge.solved && points === 0;
  const isLimit = challenge.sealed && canFall(challenge);
  const text = isGone ? words.noPointsLeft : words.points(points);
  return (
    <span
      className={styles.points}
      data-gone={isGone || undefined}
      data-points={isGone || isLimit ? undefined : points}
    >
      <span>{isLimit ? sealed.upTo(text) : text}</span>
    </span>
  );
}

/** The number of solves, with the flags found of several and the difficulty. */
export function Solves({ challenge }: FactProps) {
  const { challenges: words, sealed } = useMessages();
  const solves = words.solves(challenge.nsolves);
  return (
    <>
      <span>{challenge.sealed ? sealed.solvesBefore(solves) : solves}</span>
      <FlagsFound challenge={challenge} />
      <Difficulty challenge={challenge} />
    </>
  );
}

/** The categories as tags. The one `under` whose heading the card is remains for screen readers. */
export function Tags({ challenge, under }: FactProps & { under: string | null }) {
  return (
    <span className={styles.tags}>
      {challenge.categories.map((category) => (
        <span key={category} className={category === under ? "visually-hidden" : styles.tag}>
          <CategorySign category={category} />
          {category}
        </span>
      ))}
    </span>
  );
}
