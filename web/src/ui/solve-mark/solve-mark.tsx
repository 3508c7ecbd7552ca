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

const MEDALS = [styles.gold, styles.silver, styles.bronze];
/** Kinds of marks: the medals by their index, then these. */
const FIRST_BLOOD = 3;
const PLAIN = 4;

function kindOf({ speedrun, position, later }: Omit<MarkedSolve, "ts">): number {
  if (later || position > (speedrun ? MEDALS.length : 1)) return PLAIN;
  return speedrun ? position - 1 : FIRST_BLOOD;
}

/** "2023-11-25 13:04:05 UTC" from epoch seconds. */
export function utcTime(ts: number): string {
  const iso = new Date(ts * 1000).toISOString();
  return `${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC`;
}

/** The mark's label, and the time for its tooltip. */
function labelsOf({ board }: Messages, name: string, solve: MarkedSolve) {
  const kind = kindOf(solve);
  const inPlace = board.solvedInPlace[kind] ?? board.solved;
  const title = utcTime(solve.ts);
  const label = `${name}: ${kind === FIRST_BLOOD ? board.firstBlood : inPlace}, ${title}`;
  return { "aria-label": label, title };
}

/** A plain mark has a background image instead of an icon: a board has a thousand of them. */
function Mark({ kind, ...labels }: { kind: number; "aria-label"?: string; title?: string }) {
  return (
    <span className={kind === PLAIN ? styles.plain : styles.mark} role="img" {...labels}>
      {kind < MEDALS.length && <MedalIcon place={kind + 1} className={MEDALS[kind]} />}
      {kind === FIRST_BLOOD && <FirstBloodIcon className={styles.blood} />}
    </span>
  );
}

export function SolveMark({ name, ...solve }: MarkedSolve & { name: string }) {
  return <Mark kind={kindOf(solve)} {...labelsOf(useMessages(), name, solve)} />;
}

/** Renders each kind of mark once, hidden, for `cloneMark` to copy. */
export function MarkPatterns({ ref }: { ref: Ref<HTMLDivElement> }) {
  return (
    <div hidden ref={ref}>
      {[0, 1, 2, FIRST_BLOOD, PLAIN].map((kind) => (
        <Mark key={kind} kind={kind} />
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
  const mark = patterns[kindOf(solve)]?.cloneNode(true) as Element | undefined;
  const { title, ...label } = labelsOf(messages, name, solve);
  mark?.setAttribute("aria-label", label["aria-label"]);
  mark?.setAttribute("title", title);
  return mark;
}
