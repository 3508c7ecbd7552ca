/** The mark of one solve on the board: a drop, a medal or a flag, never colour alone. */
import type { Ref } from "react";
import type { Messages } from "../../messages/en";
import { useMessages } from "../../messages/language";
import { FirstBloodIcon, MedalIcon } from "../icons/icons";
import styles from "./solve-mark.module.css";

interface MarkedSolve {
  readonly speedrun: boolean;
  readonly position: number;
  /** Epoch seconds. */
  readonly ts: number;
  /** The viewer's own solve of the freeze: its place is not known. */
  readonly later?: true | undefined;
}

type Place = Pick<MarkedSolve, "speedrun" | "position" | "later">;

const MEDALS = [styles.gold, styles.silver, styles.bronze];

/** "2023-11-25 13:04:05 UTC" from epoch seconds. */
export function utcTime(ts: number): string {
  const iso = new Date(ts * 1000).toISOString();
  return `${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC`;
}

/** The icon of a mark; a plain one has a background image, since a board has a thousand of them. */
function Picture(solve: Place) {
  const { speedrun, position } = solve;
  if (isPlain(solve)) return null;
  const medal = MEDALS[position - 1];
  if (speedrun) return <MedalIcon place={position} className={medal} />;
  return <FirstBloodIcon className={styles.blood} />;
}

function isPlain({ speedrun, position, later }: Place): boolean {
  return later === true || position > (speedrun ? MEDALS.length : 1);
}

function markClass(solve: Place): string | undefined {
  return isPlain(solve) ? styles.plain : styles.mark;
}

function wordsFor({ board }: Messages, solve: MarkedSolve): string {
  if (isPlain(solve)) return board.solved;
  const { speedrun, position } = solve;
  if (speedrun) return board.solvedInPlace[position - 1] ?? board.solved;
  return board.firstBlood;
}

/** The mark's label, and the time for its tooltip. */
function labelsOf(
  messages: Messages,
  name: string,
  solve: MarkedSolve,
): [label: string, time: string] {
  const time = utcTime(solve.ts);
  return [`${name}: ${wordsFor(messages, solve)}, ${time}`, time];
}

export function SolveMark({ name, ...solve }: MarkedSolve & { name: string }) {
  const [label, time] = labelsOf(useMessages(), name, solve);
  return (
    <span className={markClass(solve)} role="img" aria-label={label} title={time}>
      <Picture {...solve} />
    </span>
  );
}

/** Every kind of mark, in the order of `patternIndex`. */
const PATTERNS = [
  { speedrun: true, position: 1 },
  { speedrun: true, position: 2 },
  { speedrun: true, position: 3 },
  { speedrun: false, position: 1 },
  { speedrun: false, position: 2 },
] as const;

function patternIndex(solve: MarkedSolve): number {
  if (isPlain(solve)) return PATTERNS.length - 1;
  return solve.speedrun ? solve.position - 1 : MEDALS.length;
}

/** Renders each kind of mark once, hidden, for `cloneMark` to copy. */
export function MarkPatterns({ ref }: { ref: Ref<HTMLDivElement> }) {
  return (
    <div hidden ref={ref}>
      {PATTERNS.map((pattern) => (
        <span
          key={`${pattern.speedrun} ${pattern.position}`}
          className={markClass(pattern)}
          role="img"
        >
          <Picture {...pattern} />
        </span>
      ))}
    </div>
  );
}

/** A `SolveMark` without React: a board has a thousand of them. */
export function cloneMark(
  patterns: readonly Element[],
  messages: Messages,
  { name, speedrun }: { name: string; speedrun: boolean },
  { position, ts, later }: Omit<MarkedSolve, "speedrun">,
): Element | undefined {
  const solve = { speedrun, position, ts, later };
  // A deep clone has the type of its original.
  const mark = patterns[patternIndex(solve)]?.cloneNode(true) as Element | undefined;
  const [label, time] = labelsOf(messages, name, solve);
  mark?.setAttribute("aria-label", label);
  mark?.setAttribute("title", time);
  return mark;
}
