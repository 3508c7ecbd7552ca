/** A section of the account page. */
import { type ReactNode, type Ref, useId } from "react";
import { ChevronIcon } from "../../../ui/icons/icons";
import { useMedia } from "../../../ui/motion/motion";
import styles from "./own.module.css";

interface CardProps {
  title: string;
  /** Ref for a section that moves the focus to its heading. */
  heading?: Ref<HTMLHeadingElement>;
  /** Link at the end of the heading's line. */
  aside?: ReactNode;
  /** True for a section that is folded on phones. */
  folds?: boolean;
  children: ReactNode;
}

export function Card({ title, heading, aside, folds = false, children }: CardProps) {
  const id = useId();
  const isPhone = useMedia("(max-width: 47.99rem)");
  if (folds && isPhone) {
    return (
      <section className={styles.fold} aria-labelledby={id}>
        <details>
          <summary>
            <h2 id={id} ref={heading} tabIndex={-1}>
              {title}
            </h2>
            <ChevronIcon />
          </summary>
          <div className={styles.folded}>{children}</div>
        </details>
      </section>
    );
  }
  return (
    <section className={styles.card} aria-labelledby={id}>
      <header className={styles.head}>
        <h2 id={id} ref={heading} tabIndex={-1}>
          {title}
        </h2>
        {aside}
      </header>
      {children}
    </section>
  );
}
