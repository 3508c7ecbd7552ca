/**
 * The lines' names: at the lines' ends where there is room, else in a list below the plot. A name
 * that is pointed at or focused puts its line in color, a pressed one keeps it.
 */
import type { CSSProperties, Ref } from "react";
import { SeriesSample, seriesColour } from "../series/series";
import styles from "./score-chart.module.css";
import { type ChartScore, isLeading } from "./score-data";

interface NamesProps {
  ref: Ref<HTMLOListElement>;
  scores: readonly ChartScore[];
  ownTeam: string | null;
  active: string | null;
  pinned: string | null;
  isStill: boolean;
  onActive: (name: string | null) => void;
  onPin: (name: string | null) => void;
}

function Name({ name, index, rank, score }: ChartScore) {
  return (
    <>
      <span className={styles.rank}>{rank}</span>
      <SeriesSample index={index} />
      <bdi className="ellipsis">{name}</bdi>
      <span className={styles.score}>{score}</span>
    </>
  );
}

export function ChartNames({ ref, scores, ownTeam, isStill, ...state }: NamesProps) {
  const { active, pinned, onActive, onPin } = state;
  return (
    <ol ref={ref} className={`plain-list ${styles.names}`}>
      {scores.map((one) => {
        const { name, index } = one;
        const isBold = isLeading(index, name, ownTeam) || name === active || name === pinned;
        const flags = {
          "data-line": index,
          "data-bold": isBold,
          "data-own": name === ownTeam,
          style: { "--series": `var(${seriesColour(index)})` } as CSSProperties,
        };
        if (isStill)
          return (
            <li key={name} {...flags}>
              <Name {...one} />
            </li>
          );
        return (
          <li key={name} {...flags}>
            <button
              type="button"
              aria-pressed={name === pinned}
              onPointerEnter={() => onActive(name)}
              onPointerLeave={() => onActive(null)}
              onFocus={() => onActive(name)}
              onBlur={() => onActive(null)}
              onClick={() => onPin(name === pinned ? null : name)}
            >
              <Name {...one} />
            </button>
          </li>
        );
      })}
    </ol>
  );
}

/** Distance of two names, in letters: 24 px at the usual size for pointers, less without them. */
const GAP = 1.9;
const STILL_GAP = 1.5;

interface Ends {
  /** Position in pixels of the plot. */
  readonly x: number;
  /** The vertical position of each name, with a distance. */
  readonly topsOf: (gap: number) => readonly number[];
}

/** Moves the names to the lines' ends, and returns their vertical positions. */
export function placeNames(list: HTMLOListElement | null, { x, topsOf }: Ends): readonly number[] {
  if (!list) return [];
  list.style.setProperty("--x", `${x}px`);
  const gap = list.querySelector("button") ? GAP : STILL_GAP;
  const tops = topsOf(gap * Number.parseFloat(getComputedStyle(list).fontSize));
  for (const item of list.querySelectorAll("li")) {
    item.style.setProperty("--y", `${tops[Number(item.dataset.line)] ?? 0}px`);
  }
  return tops;
}
