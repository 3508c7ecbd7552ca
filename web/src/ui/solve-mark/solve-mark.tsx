/** The mark of one solve on the board: a drop, a medal, a flag or a seal, never only a color. */
import type { Ref } from "react";
import type { Messages } from "../../messages/en";
import { useMessages } from "../../messages/language";
import { FirstBloodIcon, MedalIcon, SealedIcon } from "../icons/icons";
import { useSealText } from "../sealed/sealed";
import styles from "./solve-mark.module.css";

interface MarkedSolve {
  readonly speedrun: boolean;
  readonly position: number;
  /** Time of the solve in epoch seconds. */
  readonly ts: number;
  /** True for the viewer's own solve during the freeze, whose position is unknown. */
  readonly later?: true | undefined;
}

const MEDALS = [styles.gold, styles.silver, styles.bronze];
/** Kinds of marks after the medals, which have their index. */
const FIRST_BLOOD = 3;
const PLAIN = 4;
const SEALED = 5;

function kindOf({ speedrun, position, later }: Omit<MarkedSolve, "ts">): number {
  if (later) return SEALED;
  if (position > (speedrun ? MEDALS.length : 1)) return PLAIN;
  return speedrun ? position - 1 : FIRST_BLOOD;
}

/** "2023-11-25 13:04:05 UTC" from epoch seconds. */
export function utcTime(ts: number): string {
  const iso = new Date(ts * 1000).toISOString();
  return `${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC`;
}

/**
 * The label of the mark, and the time for its tooltip. A sealed solve also has the time of the
 * reveal.
 */
function labelsOf({ board }: Messages, name: string, solve: MarkedSolve, sealText: string) {
  const kind = kindOf(solve);
  const inPlace = board.solvedInPlace[kind] ?? board.solved;
  const time = utcTime(solve.ts);
  const outcome = kind === FIRST_BLOOD ? board.firstBlood : inPlace;
  if (kind !== SEALED) return { "aria-label": `${name}: ${outcome}, ${time}`, title: time };
  const label = `${name}: ${outcome}, ${sealText}, ${time}`;
  return { "aria-label": label, title: `${time}, ${sealText}` };
}

/** A plain mark uses a background image instead of an icon: a board has a thousand of them. */
function Mark({ kind, ...labels }: { kind: number; "aria-label"?: string; title?: string }) {
  return (
    <span className={kind === PLAIN ? styles.plain : styles.mark} role="img" {...labels}>
      {kind < MEDALS.length && <MedalIcon place={kind + 1} className={MEDALS[kind]} />}
      {kind === FIRST_BLOOD && <FirstBloodIcon className={styles.blood} />}
      {kind === SEALED && <SealedIcon className={styles.sealed} />}
    </span>
  );
}

export function SolveMark({ name, ...solve }: MarkedSolve & { name: string }) {
  return <Mark kind={kindOf(solve)} {...labelsOf(useMessages(), name, solve, useSealText())} />;
}

/**
 * Renders each kind of mark once, hidden, for `cloneMark` to copy. The title of the sealed one is
 * the time of the reveal.
 */
export function MarkPatterns({ ref }: { ref: Ref<HTMLDivElement> }) {
  const sealText = useSealText();
  return (
    <div hidden ref={ref}>
      {[0, 1, 2, FIRST_BLOOD, PLAIN].map((kind) => (
        <Mark key={kind} kind={kind} />
      ))}
      <Mark kind={SEALED} title={sealText} />
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
  const { title, ...label } = labelsOf(messages, name, solve, mark?.getAttribute("title") ?? "");
  mark?.setAttribute("aria-label", label["aria-label"]);
  mark?.setAttribute("title", title);
  return mark;
}
