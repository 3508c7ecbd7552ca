/** The mark of one solve on the board: a drop, a medal or a flag, never told by colour alone. */
import type { Messages } from "../messages/en";
import { useMessages } from "../messages/language";
import { FirstBloodIcon, MedalIcon, SolvedIcon } from "./icons";
import styles from "./solve-mark.module.css";

interface SolveMarkProps {
  name: string;
  speedrun: boolean;
  position: number;
  ts: number;
}

const MEDALS = [styles.gold, styles.silver, styles.bronze];

/** "2023-11-25 13:04:05 UTC" from epoch seconds. */
export function utcTime(ts: number): string {
  return `${new Date(ts * 1000).toISOString().slice(0, 19).replace("T", " ")} UTC`;
}

function Mark({ speedrun, position }: { speedrun: boolean; position: number }) {
  const medal = MEDALS[position - 1];
  if (speedrun && medal) return <MedalIcon place={position} className={medal} />;
  if (!speedrun && position === 1) return <FirstBloodIcon className={styles.blood} />;
  return <SolvedIcon className={styles.plain} />;
}

function wordsFor({ board }: Messages, speedrun: boolean, position: number): string {
  if (speedrun) return board.solvedInPlace[position - 1] ?? board.solved;
  return position === 1 ? board.firstBlood : board.solved;
}

export function SolveMark({ name, speedrun, position, ts }: SolveMarkProps) {
  const say = useMessages();
  const time = utcTime(ts);
  return (
    <span
      className={styles.mark}
      role="img"
      aria-label={`${name}: ${wordsFor(say, speedrun, position)}, ${time}`}
      title={time}
    >
      <Mark speedrun={speedrun} position={position} />
    </span>
  );
}
