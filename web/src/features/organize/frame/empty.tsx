/** The place of rows when a list has none: an icon, a title, and a note on what will appear. */
import type { ReactNode } from "react";
import styles from "./empty.module.css";

interface EmptyProps {
  title: string;
  note?: string | false | undefined;
  /** True if the title is that of the page. */
  isPage?: boolean;
  /** An action, such as a link to another page. */
  children?: ReactNode;
}

export function Empty({ title, note, isPage = false, children }: EmptyProps) {
  const Title = isPage ? "h1" : "p";
  return (
    <div className={styles.empty}>
      <svg viewBox="0 0 24 24" width="24" height="24" aria-hidden="true">
        <path d="M6 21V4M6 5h11l-2.5 3.5L17 12H6" />
      </svg>
      <div role="status">
        <Title className={styles.title}>{title}</Title>
        {note && <p>{note}</p>}
      </div>
      {children}
    </div>
  );
}
