/** Points of a challenge by its number of solves, as a small chart with four of its values. */
import { useMessages } from "../../../messages/language";
import { useOrganizeMessages } from "../../../messages/organize/words";
import styles from "./curve.module.css";

/** Numbers of solves whose points are shown as numbers. */
const SHOWN = [1, 5, 10, 50];

/** Chart size in SVG units; the chart stretches to the width of its section. */
const WIDE = 100;
const HIGH = 30;

/** One step per solve, because points change only with a solve. */
function pathOf(values: readonly number[]): string {
  const most = Math.max(...values, 1);
  const step = WIDE / values.length;
  const steps = values.map((value, at) => {
    const y = (HIGH * (1 - value / most)).toFixed(2);
    return `${(at * step).toFixed(2)},${y} ${((at + 1) * step).toFixed(2)},${y}`;
  });
  return steps.join(" ");
}

interface CurveProps {
  /** Points after 1, 2, 3 … solves. */
  values: readonly number[];
  /** True if each position has its own points. */
  isByPosition: boolean;
}

export function Curve({ values, isByPosition }: CurveProps) {
  const { editor: words } = useOrganizeMessages().pages;
  const { locale } = useMessages();
  if (values.length === 0) return null;
  const last = values.findLastIndex((value) => value > 0) + 1;
  // A speedrun ends with its last position; a static challenge has one value.
  const drawn = isByPosition ? values.slice(0, Math.max(1, last)) : values;
  const isFlat = new Set(values).size === 1;
  if (isFlat) return null;
  const line = pathOf(drawn);
  const number = new Intl.NumberFormat(locale);
  return (
    <figure className={styles.curve} aria-label={words.curve}>
      <svg viewBox={`0 -2 ${WIDE} ${HIGH + 3}`} preserveAspectRatio="none" aria-hidden="true">
        <polygon points={`0,${HIGH} ${line} ${WIDE},${HIGH}`} />
        <polyline points={line} />
      </svg>
      <dl>
        {SHOWN.map((count) => (
          <div key={count}>
            <dt>{isByPosition ? words.atPosition(count) : words.afterSolves(count)}</dt>
            <dd>{number.format(values[count - 1] ?? 0)}</dd>
          </div>
        ))}
      </dl>
    </figure>
  );
}
