/** The layout of a page with one form: a heading, the form, and links below. */
import type { ReactNode } from "react";
import styles from "./form-page.module.css";

export function FormPage(props: { title: string; children: ReactNode; below?: ReactNode }) {
  return (
    <section className={styles.page}>
      <h1>{props.title}</h1>
      <div className={styles.card}>{props.children}</div>
      {props.below && <div className={styles.below}>{props.below}</div>}
    </section>
  );
}
