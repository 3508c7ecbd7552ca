/** A tiny line of a team's score over time. Decorative: the graph and its table have the data. */
import styles from "./sparkline.module.css";

const WIDTH = 60;
const HEIGHT = 16;
/** Room for half of the stroke. */
const EDGE = 1;
const SVG = "http://www.w3.org/2000/svg";
const VIEW_BOX = `0 0 ${WIDTH} ${HEIGHT}`;

/** The path of values at equal distances, from 0 at the bottom to their maximum at the top. */
export function sparkPath(values: readonly number[]): string {
  const max = Math.max(...values);
  if (values.length < 2 || max <= 0) return "";
  const step = WIDTH / (values.length - 1);
  const points = values.map((value, at) => {
    const share = Math.max(0, value) / max;
    const y = HEIGHT - EDGE - share * (HEIGHT - 2 * EDGE);
    return `${Math.round(at * step * 10) / 10} ${Math.round(y * 10) / 10}`;
  });
  return `M${points.join("L")}`;
}

/** Closes a line to an area above the bottom edge. */
const areaUnder = (line: string) => (line === "" ? "" : `${line}V${HEIGHT}H0z`);

export function Sparkline({ values }: { values: readonly number[] }) {
  const line = sparkPath(values);
  return (
    <svg
      viewBox={VIEW_BOX}
      preserveAspectRatio="none"
      className={styles.sparkline}
      aria-hidden="true"
      focusable="false"
    >
      <path d={areaUnder(line)} />
      <path d={line} />
    </svg>
  );
}

/** A `Sparkline` without React: its element, and a function that draws values in it. */
export function drawSparkline(): { element: Element; draw: (values: readonly number[]) => void } {
  const element = document.createElementNS(SVG, "svg");
  element.setAttribute("viewBox", VIEW_BOX);
  element.setAttribute("class", styles.sparkline ?? "");
  element.setAttribute("aria-hidden", "true");
  const [area, line] = [0, 1].map(() => document.createElementNS(SVG, "path"));
  if (area && line) element.append(area, line);
  return {
    element,
    draw: (values) => {
      const path = sparkPath(values);
      area?.setAttribute("d", areaUnder(path));
      line?.setAttribute("d", path);
    },
  };
}
