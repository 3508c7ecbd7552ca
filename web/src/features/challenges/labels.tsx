/** Labels of a challenge: difficulty, tags, author and attribution. Nothing without labels. */
import type { Challenge } from "../../api/calls";
import { useMessages } from "../../messages/language";
import { Html } from "../../ui/html/html";
import styles from "./task.module.css";

type Labeled<Name extends keyof Challenge> = { challenge: Pick<Challenge, Name> };

/** Returns the text of a difficulty; the event's own words are not translated. */
export function useDifficulty(): (word: string) => string {
  const { difficulties } = useMessages().challenges;
  const known = new Map<string, string>(Object.entries(difficulties));
  return (word) => known.get(word) ?? word;
}

export function Difficulty({ challenge: { difficulty } }: Labeled<"difficulty">) {
  const text = useDifficulty();
  return difficulty && <bdi>{text(difficulty)}</bdi>;
}

/** The tags of an open challenge. */
export function TagList({ challenge: { tags = [] } }: Labeled<"tags">) {
  const { challenges: words } = useMessages();
  if (tags.length === 0) return null;
  return (
    <ul className={styles.labels} aria-label={words.tags}>
      {tags.map((tag) => (
        <li key={tag} className={styles.label}>
          {tag}
        </li>
      ))}
    </ul>
  );
}

export function Credits({ challenge }: Labeled<"author" | "attribution">) {
  const { challenges: words } = useMessages();
  const { author, attribution } = challenge;
  return (
    <>
      {author && <p className={styles.credits}>{words.author(author)}</p>}
      {attribution && <Html html={attribution} className={styles.credits} />}
    </>
  );
}
