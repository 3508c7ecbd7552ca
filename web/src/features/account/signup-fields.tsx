/** The organizers' own questions in the signup form. */
import { useId } from "react";
import { useCtf } from "../../api/queries";
import type { components } from "../../api/schema";
import { useMessages } from "../../messages/language";
import { Fault, Field, formText, useNativeFault } from "../../ui/field/field";
import styles from "./signup.module.css";

type Question = components["schemas"]["SignupQuestion"];

const ANSWER_CHARS_MAX = 200;

/** Name of a question's control in the form. */
const nameOf = ({ id }: Question) => `field ${id}`;

function useLabel({ label, required }: Question): string {
  const { account } = useMessages();
  return required ? label : account.optional(label);
}

/** The error of a question, and the properties of its control. */
function useQuestion(question: Question) {
  const id = useId();
  const { fault, hadFocus, onInvalid, onInput } = useNativeFault();
  const noteId = `${id}-note`;
  const note = fault && (
    <Fault id={noteId} announced={hadFocus}>
      {fault}
    </Fault>
  );
  const control = {
    id,
    name: nameOf(question),
    required: question.required,
    "aria-invalid": fault ? true : undefined,
    "aria-describedby": fault ? noteId : undefined,
    onInvalid,
    onInput,
  };
  return { control, note };
}

function Choice({ question }: { question: Question }) {
  const label = useLabel(question);
  const { control, note } = useQuestion(question);
  return (
    <div className={styles.choice}>
      <label htmlFor={control.id}>
        <bdi>{label}</bdi>
      </label>
      <select defaultValue="" {...control}>
        <option value="" />
        {question.choices.map((choice) => (
          <option key={choice}>{choice}</option>
        ))}
      </select>
      {note}
    </div>
  );
}

function Consent({ question }: { question: Question }) {
  const label = useLabel(question);
  const { control, note } = useQuestion(question);
  return (
    <div className={styles.choice}>
      <label className={styles.student}>
        <input type="checkbox" value="yes" {...control} />
        <bdi>{label}</bdi>
      </label>
      {note}
    </div>
  );
}

function Line({ question }: { question: Question }) {
  const label = useLabel(question);
  const name = nameOf(question);
  const input = { name, maxLength: ANSWER_CHARS_MAX, required: question.required };
  return <Field label={label} autoComplete="off" {...input} />;
}

const KINDS: Readonly<Record<string, typeof Line>> = { text: Line, choice: Choice };

export function SignupFields() {
  const questions = useCtf().data?.info.registration.fields ?? [];
  return questions.map((question) => {
    const Kind = KINDS[question.type] ?? Consent;
    return <Kind key={question.id} question={question} />;
  });
}

/** The answers in a form, by the IDs of the questions. */
export function readAnswers(form: HTMLFormElement, questions: readonly Question[]) {
  return Object.fromEntries(
    questions.map((question) => {
      const text = formText(form, nameOf(question)).trim();
      return [question.id, question.type === "consent" ? text !== "" : text];
    }),
  );
}
