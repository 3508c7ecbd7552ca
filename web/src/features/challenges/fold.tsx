/** A collapsible section on narrow screens; only its content on wide ones. */
import { type ReactNode, useId, useState } from "react";
import { ChevronIcon } from "../../ui/icons/icons";
import styles from "./fold.module.css";

export function Fold({ line, children }: { line: ReactNode; children: ReactNode }) {
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  return (
    <div className={styles.fold} data-open={isOpen}>
      <button
        type="button"
        className={styles.line}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        <span className={styles.words}>{line}</span>
        <ChevronIcon className={styles.chevron} />
      </button>
      <div id={id} className={styles.content}>
        {children}
      </div>
    </div>
  );
}
