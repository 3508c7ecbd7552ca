/** A team's pennant: a generated signal flag beside the flag of its country. */
import { memo } from "react";
import { pathsOf, pennantOf } from "./design";
import styles from "./pennant.module.css";

type PennantSize = "small" | "medium" | "large";

interface PennantProps {
  /** The team's name. */
  name: string;
  size: PennantSize;
}

const VIEW_BOX = "0 0 24 18";
const SVG = "http://www.w3.org/2000/svg";

function classesOf({ name, size }: PennantProps): string {
  const { outline, field } = pennantOf(name);
  return `${styles.pennant} ${styles[size]} ${styles[outline]} ${styles[field]}`;
}

/** The class of a path: its color, or the edge. */
function classOf(color: string | null): string {
  return (color ? styles[color] : styles.edge) ?? "";
}

export const Pennant = memo(function Pennant(props: PennantProps) {
  return (
    <svg viewBox={VIEW_BOX} className={classesOf(props)} aria-hidden="true" focusable="false">
      {pathsOf(pennantOf(props.name)).map(({ d, color }) => (
        <path key={color} d={d} className={classOf(color)} />
      ))}
    </svg>
  );
});

/** The same as a `Pennant`, without React: a board has a thousand of them. */
export function drawPennant(name: string, size: PennantSize): Element {
  const pennant = document.createElementNS(SVG, "svg");
  pennant.setAttribute("viewBox", VIEW_BOX);
  pennant.setAttribute("class", classesOf({ name, size }));
  pennant.setAttribute("aria-hidden", "true");
  for (const { d, color } of pathsOf(pennantOf(name))) {
    const path = document.createElementNS(SVG, "path");
    path.setAttribute("d", d);
    path.setAttribute("class", classOf(color));
    pennant.append(path);
  }
  return pennant;
}
