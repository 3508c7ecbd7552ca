/** A notice from the organizers, with its times and challenge. Withdrawn notices have no text. */
import { useId } from "react";
import { useMessages } from "../../messages/language";
import { Html } from "../html/html";
import { BrokenIcon } from "../icons/icons";
import { useHours } from "../times/times";
import styles from "./notice.module.css";

interface NoticeProps {
  notice: {
    at: number;
    title: string;
    html: string;
    urgent: boolean;
    correctedAt: number | null;
    withdrawn: boolean;
    withdrawnAt: number | null;
  };
  /** The challenge of the notice, unless the context shows it. */
  about?: { name: string; href: string } | undefined;
  /** True if the notice is unread. */
  isNew?: boolean;
}

function Withdrawn({ notice, isNew = false }: NoticeProps) {
  const { news: words } = useMessages();
  const time = useHours();
  const { at, withdrawnAt } = notice;
  return (
    <article className={styles.notice} data-withdrawn>
      <p className={styles.facts}>
        {isNew && <strong className={styles.fresh}>{words.fresh}</strong>}
        {words.withdrawn(time(at), time(withdrawnAt ?? at))}
      </p>
    </article>
  );
}

export function Notice(props: NoticeProps) {
  const { news: words } = useMessages();
  const time = useHours();
  const id = useId();
  const { notice, about, isNew = false } = props;
  if (notice.withdrawn) return <Withdrawn {...props} />;
  const { title, html, urgent, at, correctedAt } = notice;
  return (
    <article className={styles.notice} data-urgent={urgent} aria-labelledby={id}>
      <h3 id={id} className={styles.title} dir="auto">
        {title}
      </h3>
      <p className={styles.facts}>
        {isNew && <strong className={styles.fresh}>{words.fresh}</strong>}
        {urgent && (
          <strong className={styles.urgent}>
            <BrokenIcon />
            {words.urgent}
          </strong>
        )}
        <bdi>
          <time dateTime={new Date(at).toISOString()}>{time(at)}</time>
        </bdi>
        {correctedAt !== null && <span>{words.corrected(time(correctedAt))}</span>}
        {about && <a href={about.href}>{about.name}</a>}
      </p>
      <Html html={html} className={styles.text} />
    </article>
  );
}
