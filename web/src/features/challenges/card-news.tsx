/** News from the organizers on a challenge card: status, notices, hints. */
import type { Challenge } from "../../api/calls";
import { useNotices } from "../../api/queries";
import { useMessages } from "../../messages/language";
import { Html } from "../../ui/html/html";
import { Notice } from "../../ui/notice/notice";
import { useHours } from "../../ui/times/times";
import styles from "./card-news.module.css";
import task from "./task.module.css";

/** The note on the challenge's status, and its active notices. */
export function CardNews({ challenge }: { challenge: Challenge }) {
  const { challengeStatus: words } = useMessages();
  const { data: notices = [] } = useNotices(true);
  const { id, status, statusNote } = challenge;
  const about = notices.filter((one) => one.challengeId === id && !one.withdrawn);
  return (
    <>
      {status !== "works" && (
        <p className={styles.status} data-status={status} dir="auto">
          {statusNote || words.notes[status]}
        </p>
      )}
      {about.map((notice) => (
        <Notice key={notice.id} notice={notice} />
      ))}
    </>
  );
}

type Hint = Challenge["hints"][number];

function HintItem({ hint, number }: { hint: Hint; number: number }) {
  const { hints: words } = useMessages();
  const hours = useHours();
  const { html = null, at = null } = hint;
  const title = at === null ? words.title(number) : words.at(number, hours(at));
  if (html === null) return <p className={styles.coming}>{title}</p>;
  return (
    <details className={task.unfolds}>
      <summary>{title}</summary>
      <Html html={html} className={styles.text} />
    </details>
  );
}

/** Hints stay closed until clicked, to avoid spoilers. */
export function Hints({ hints }: Pick<Challenge, "hints">) {
  const { hints: words } = useMessages();
  if (hints.length === 0) return null;
  return (
    <ul className={styles.hints} aria-label={words.list}>
      {hints.map((hint, index) => (
        <li key={hint.id}>
          <HintItem hint={hint} number={index + 1} />
        </li>
      ))}
    </ul>
  );
}
