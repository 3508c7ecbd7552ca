/** The list of questions, each with its team, text, status and current viewers. */
import type { Question } from "../../../api/organize-lists";
import { useOrganizeMessages, wordFor } from "../../../messages/organize/words";
import { Ago } from "../filters/ago";
import { LooksBadge, useViewers } from "../frame/channel";
import { useChallengeNames } from "../frame/queries";
import { type Mark, Status } from "../frame/status";
import { ViewLink } from "../frame/view";
import styles from "./messages.module.css";

export const objectOf = ({ id }: Question) => `question ${id}`;

interface InboxFilter {
  readonly q: string;
  readonly state: string;
  /** `no` for questions that no other organizer is viewing. */
  readonly claim: string;
}

/** Questions that match the filters. */
export function inboxOf(
  questions: readonly Question[],
  filter: InboxFilter,
  viewers: (object: string) => readonly string[],
): readonly Question[] {
  const q = filter.q.trim().toLowerCase();
  return questions.filter((question) => {
    const { teamName, text, state } = question;
    return (
      `${teamName}\n${text}`.toLowerCase().includes(q) &&
      (filter.state === "" || state === filter.state) &&
      (filter.claim === "" || viewers(objectOf(question)).length === 0)
    );
  });
}

const MARKS: Readonly<Record<string, Mark>> = { open: "warn", answered: "good" };

export function QuestionState({ state }: { state: string }) {
  const { messages: words } = useOrganizeMessages().pages;
  return <Status mark={MARKS[state] ?? "hollow"}>{wordFor(words.states, state)}</Status>;
}

export function Inbox(props: { questions: readonly Question[]; open: number | undefined }) {
  const { messages: words } = useOrganizeMessages().pages;
  const names = useChallengeNames();
  const viewers = useViewers();
  return (
    <ul className={styles.inbox}>
      {props.questions.map((question) => {
        const { id, at, teamName, text, state, challengeId } = question;
        return (
          <li key={id}>
            <ViewLink
              data-row
              data-question={id}
              changes={{ question: id.toString() }}
              aria-current={id === props.open}
            >
              <span className={styles.top}>
                <bdi className={styles.team}>{teamName}</bdi> <Ago ms={at} />
              </span>
              <span className={styles.excerpt}>{text === "" ? words.unasked : text}</span>
              <span className={styles.bottom}>
                <QuestionState state={state} />
                {challengeId && <bdi>{names[challengeId] ?? challengeId}</bdi>}
                <LooksBadge names={viewers(objectOf(question))} />
              </span>
            </ViewLink>
          </li>
        );
      })}
    </ul>
  );
}
