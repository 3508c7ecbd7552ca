/** A part of the page of the team's account. */
import { type ReactNode, type Ref, useId } from "react";
import styles from "./own.module.css";

interface CardProps {
  title: string;
  /** For a part that moves the focus to its heading. */
  heading?: Ref<HTMLHeadingElement>;
  children: ReactNode;
}

export function Card({ title, heading, children }: CardProps) {
  const id = useId();
  return (
    <section className={styles.card} aria-labelledby={id}>
      <h2 id={id} ref={heading} tabIndex={-1}>
        {title}
      </h2>
      {children}
    </section>
  );
}
