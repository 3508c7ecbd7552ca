/** The mark of one solve on the board: a drop, a medal or a flag, never told by colour alone. */
import { FirstBloodIcon, MedalIcon, SolvedIcon } from "./icons";
import styles from "./solve-mark.module.css";

interface SolveMarkProps {
  name: string;
  speedrun: boolean;
  position: number;
  ts: number;
}

const MEDALS = [styles.gold, styles.silver, styles.bronze];
const PLACES = ["first", "second", "third"];

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

function wordsFor(speedrun: boolean, position: number): string {
  if (!speedrun) return position === 1 ? "first blood" : "solved";
  const place = PLACES[position - 1];
  return place ? `solved ${place}` : "solved";
}

export function SolveMark({ name, speedrun, position, ts }: SolveMarkProps) {
  const time = utcTime(ts);
  return (
    <span
      className={styles.mark}
      role="img"
      aria-label={`${name}: ${wordsFor(speedrun, position)}, ${time}`}
      title={time}
    >
      <Mark speedrun={speedrun} position={position} />
    </span>
  );
}
