/** A status: a shape and a word. The shape alone tells the statuses apart, without the color. */
import type { ReactNode } from "react";
import styles from "./status.module.css";

export type Mark = "good" | "quiet" | "warn" | "bad" | "hollow" | "lock" | "wait";

const LINE = { fill: "none", stroke: "currentColor", strokeWidth: 1.5 } as const;

/** Shapes on a grid of 12 units. */
const SHAPES: Readonly<Record<Mark, ReactNode>> = {
  good: (
    <>
      <circle cx="6" cy="6" r="5.25" fill="currentColor" />
      <path d="M3.6 6.2l1.7 1.7 3.1-3.6" className={styles.tick} />
    </>
  ),
  quiet: <circle cx="6" cy="6" r="2.5" fill="currentColor" />,
  warn: <path d="M6 1.2L11.4 10.6H.6zM6 4.7v2.8M6 8.6v.9" {...LINE} strokeLinejoin="round" />,
  bad: (
    <>
      <path d="M3.6.5h4.8l3.1 3.1v4.8l-3.1 3.1H3.6L.5 8.4V3.6z" fill="currentColor" />
      <path d="M4 4l4 4M8 4l-4 4" className={styles.tick} />
    </>
  ),
  hollow: <circle cx="6" cy="6" r="4.5" {...LINE} strokeDasharray="2.1 1.45" />,
  lock: (
    <>
      <rect x="1.75" y="5.25" width="8.5" height="5.75" rx="1.2" fill="currentColor" />
      <path d="M3.75 5.25V3.6a2.25 2.25 0 0 1 4.5 0v1.65" {...LINE} />
    </>
  ),
  wait: (
    <>
      <circle cx="6" cy="6" r="4.75" {...LINE} />
      <path d="M6 3.4V6l1.8 1.4" {...LINE} strokeLinecap="round" />
    </>
  ),
};

export function Status({ mark, children }: { mark: Mark; children: ReactNode }) {
  return (
    <span className={styles.status} data-mark={mark}>
      <svg viewBox="0 0 12 12" width="12" height="12" aria-hidden="true">
        {SHAPES[mark]}
      </svg>
      <span>{children}</span>
    </span>
  );
}
