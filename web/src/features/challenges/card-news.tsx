/** News from the organizers on a challenge card: status, notices, hints. */
import { lazy, Suspense } from "react";
import type { Challenge } from "../../api/calls";
import { useServerNow } from "../../api/clock";
import { useNotices } from "../../api/queries";
import type { Board } from "../../domain/board";
import type { Derived } from "../../domain/challenges";
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

/** Only loaded for events with such hints. */
const TakenHint = lazy(() => import("./taken-hint"));

type Hint = Challenge["hints"][number];

interface HintItemProps {
  hint: Hint;
  number: number;
  challenge: Pick<Derived<Challenge>, "id" | "hints" | "attemptsLeft" | "solved">;
  board: Board | null;
}

function HintItem({ hint, number, challenge, board }: HintItemProps) {
  const { hints: words } = useMessages();
  const hours = useHours();
  const nowMs = useServerNow();
  const { html = null, at = null } = hint;
  const timed = at === null ? words.title(number) : words.at(number, hours(at));
  const title = hint.title ? `${timed} · ${hint.title}` : timed;
  const isComing = html === null && at !== null && at > nowMs;
  if (isComing) return <p className={styles.coming}>{title}</p>;
  if (html === null || hint.taken) {
    return (
      <Suspense fallback={<p className={styles.coming}>{title}</p>}>
        <TakenHint {...{ hint, title, challenge, board }} />
      </Suspense>
    );
  }
  return (
    <details className={task.unfolds}>
      <summary>{title}</summary>
      <Html html={html} className={styles.text} />
    </details>
  );
}

interface HintsProps {
  challenge: Pick<Derived<Challenge>, "id" | "hints" | "attemptsLeft" | "solved">;
  board: Board | null;
}

/** Hints stay closed until clicked, to avoid spoilers. */
export function Hints({ challenge, board }: HintsProps) {
  const { hints: words } = useMessages();
  const { hints } = challenge;
  if (hints.length === 0) return null;
  return (
    <ul className={styles.hints} aria-label={words.list}>
      {hints.map((hint, index) => (
        <li key={hint.id}>
          <HintItem {...{ hint, challenge, board }} number={index + 1} />
        </li>
      ))}
    </ul>
  );
}
