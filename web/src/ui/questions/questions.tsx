/** Questions for the organizers: the list, and the form for a new one. */
import { type KeyboardEvent, useId, useRef } from "react";
import { useMessages } from "../../messages/language";
import { Form } from "../field/field";
import { useHours } from "../times/times";
import styles from "./questions.module.css";

interface AskedQuestion {
  id: number;
  at: number;
  text: string;
  state: string;
  answer?: string | null;
  answeredAt?: number | null;
}

interface QuestionListProps<Question> {
  label: string;
  questions: readonly Question[];
  /** Name of the challenge of a question. */
  aboutOf?: (question: Question) => string | undefined;
  isNew?: (question: Question) => boolean;
}

/** Returns the status of a question as text. */
function useStateText(): (question: AskedQuestion) => string {
  const { questions: words } = useMessages();
  const hours = useHours();
  return ({ state, text, at, answeredAt }) => {
    const asked = hours(at);
    const then = hours(answeredAt ?? at);
    if (text === "") return words.told(then);
    if (state === "open") return words.received(asked);
    return state === "answered" ? words.answered(asked, then) : words.closed(asked, then);
  };
}

/** The team's questions and messages from the organizers, newest first. */
export function QuestionList<Question extends AskedQuestion>(props: QuestionListProps<Question>) {
  const { label, questions, aboutOf, isNew } = props;
  const { news: words } = useMessages();
  const stateText = useStateText();
  return (
    <ul className={styles.list} aria-label={label}>
      {questions.map((question) => {
        const about = aboutOf?.(question);
        return (
          <li key={question.id} className={styles.question} data-state={question.state}>
            <p className={styles.facts}>
              {isNew?.(question) && <strong className={styles.fresh}>{words.fresh}</strong>}
              <strong>{stateText(question)}</strong>
              {about !== undefined && <span>{about}</span>}
            </p>
            {question.text !== "" && <p className={styles.text}>{question.text}</p>}
            {question.answer && <p className={styles.answer}>{question.answer}</p>}
          </li>
        );
      })}
    </ul>
  );
}

const TEXT_MAX = 1000;

export interface QuestionFormProps {
  label: string;
  draft: string;
  keep: (text: string) => void;
  ask: (text: string) => void;
  isAsking: boolean;
  wasAsked: boolean;
  /** Reason for a rejection, in the reader's language. */
  fault: string | null;
  isFull: boolean;
}

export function QuestionForm(props: QuestionFormProps) {
  const { label, draft, keep, ask, isAsking, wasAsked, fault, isFull } = props;
  const { questions: words } = useMessages();
  const id = useId();
  const box = useRef<HTMLTextAreaElement>(null);
  function submit() {
    const text = draft.trim();
    // The button is disabled during the request, which removes its focus.
    box.current?.focus();
    if (text !== "" && !isAsking) ask(text);
  }
  function sendByKey(event: KeyboardEvent<HTMLTextAreaElement>) {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
    event.currentTarget.form?.requestSubmit();
  }
  return (
    <Form className={styles.form} onSubmit={submit}>
      <label htmlFor={id}>{label}</label>
      <textarea
        ref={box}
        id={id}
        rows={3}
        required
        maxLength={TEXT_MAX}
        value={draft}
        aria-describedby={`${id}-note`}
        onChange={(event) => keep(event.currentTarget.value)}
        onKeyDown={sendByKey}
      />
      <p id={`${id}-note`} className={styles.note}>
        {isFull ? words.full : words.note}
      </p>
      <button type="submit" disabled={isAsking || isFull}>
        {words.send}
      </button>
      <p role="status" className={styles.outcome} data-fault={fault !== null}>
        {fault ?? (wasAsked && words.sent)}
      </p>
    </Form>
  );
}
