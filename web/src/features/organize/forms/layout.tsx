/** Layout of pages with long forms: an outline of the sections, the forms, and a preview beside. */
import { type MouseEvent, type ReactNode, useEffect, useId, useState } from "react";
import { useOrganizeMessages } from "../../../messages/organize/words";
import styles from "./layout.module.css";

interface Section {
  readonly id: string;
  readonly text: string;
}

/** Returns the section that is read: the last one whose top has passed the upper third. */
function useCurrent(sections: readonly Section[]): string | undefined {
  const [current, setCurrent] = useState(sections[0]?.id);
  const ids = sections.map(({ id }) => id).join(" ");
  useEffect(() => {
    function read() {
      const tops = ids.split(" ").map((id) => {
        return { id, top: document.getElementById(id)?.getBoundingClientRect().top ?? 0 };
      });
      const { scrollHeight } = document.documentElement;
      const isAtEnd = window.innerHeight + window.scrollY >= scrollHeight - 2 && window.scrollY > 0;
      const passed = tops.filter(({ top }) => top < window.innerHeight / 3);
      setCurrent((isAtEnd ? tops : passed.length > 0 ? passed : tops.slice(0, 1)).at(-1)?.id);
    }
    read();
    window.addEventListener("scroll", read, { passive: true });
    return () => window.removeEventListener("scroll", read);
  }, [ids]);
  return current;
}

function Outline({ sections }: { sections: readonly Section[] }) {
  const { manage: words } = useOrganizeMessages();
  const current = useCurrent(sections);
  function jump(event: MouseEvent, id: string) {
    event.preventDefault();
    const section = document.getElementById(id);
    section?.scrollIntoView({ block: "start" });
    section?.querySelector<HTMLElement>("h2, h3")?.focus({ preventScroll: true });
  }
  return (
    <nav aria-label={words.outline} className={styles.outline}>
      <ul>
        {sections.map(({ id, text }) => (
          <li key={id}>
            <a
              href={`#${id}`}
              aria-current={id === current ? "true" : undefined}
              onClick={(event) => jump(event, id)}
            >
              {text}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

interface LayoutProps {
  sections: readonly Section[];
  /** Preview at the right on wide screens, above the form on narrow ones. */
  aside?: ReactNode;
  children: ReactNode;
}

export function Layout({ sections, aside, children }: LayoutProps) {
  return (
    <div className={aside ? `${styles.layout} ${styles.three}` : styles.layout}>
      <Outline sections={sections} />
      {aside && <div className={styles.aside}>{aside}</div>}
      <div className={styles.main}>{children}</div>
    </div>
  );
}

interface GroupProps {
  /** Target of the outline. */
  id?: string;
  title: string;
  note?: string | undefined;
  /** True for short fields, which are side by side. */
  isPair?: boolean | undefined;
  children: ReactNode;
}

/** Fields that belong together: a heading, a sentence, and the fields. */
export function Group({ id, title, note, isPair = false, children }: GroupProps) {
  const label = useId();
  return (
    // biome-ignore lint/a11y/useSemanticElements: a legend cannot be laid out.
    <div id={id} role="group" aria-labelledby={label} className={styles.group}>
      <div className={styles.about}>
        <h3 id={label} tabIndex={-1}>
          {title}
        </h3>
        {note && <p className="org-note">{note}</p>}
      </div>
      <div className={isPair ? `${styles.fields} ${styles.pair}` : styles.fields}>{children}</div>
    </div>
  );
}
