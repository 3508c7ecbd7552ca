/** Parts of a panel: large figures, and facts in two columns. */
import type { ReactNode } from "react";
import styles from "./panel-parts.module.css";

type Row = readonly [name: string, value: ReactNode];

const isKnown = ([, value]: Row) => value !== null && value !== undefined && value !== "";

function List({ rows, className }: { rows: readonly Row[]; className: string | undefined }) {
  return (
    <dl className={className}>
      {rows.filter(isKnown).map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Numbers that are read first, in a row. */
export function Figures({ rows }: { rows: readonly Row[] }) {
  return <List rows={rows} className={styles.figures} />;
}

/** Facts in two columns; those without a value are omitted. */
export function FactColumns({ rows }: { rows: readonly Row[] }) {
  return <List rows={rows} className={styles.facts} />;
}

/** A heading with what belongs to it. */
export function PanelPart({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={styles.part}>
      <h3>{title}</h3>
      {children}
    </section>
  );
}

/** Links to other pages about the object. */
export function PanelLinks({ children }: { children: ReactNode }) {
  return <div className={styles.links}>{children}</div>;
}
