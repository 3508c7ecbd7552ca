/** Answers about the signup form: codes and the organizers' own questions. */
import { useOrganizeMessages, wordFor } from "../../../messages/organize/words";
import { partOf, questionsOf } from "../event/settings-form";
import { SignupFields } from "../event/signup-fields";
import type { Row } from "../forms/values";
import type { Answers } from "./answers";
import { AnswerChoice, isFixed, type StepProps } from "./form";
import styles from "./setup.module.css";

/** Rows of the questions. The answer is their JSON, because answers are texts. */
function rowsOfAnswer({ questions = "[]" }: Answers): readonly Row[] {
  return JSON.parse(questions);
}

/** The settings that these answers stand for. */
export function signupFormOf(answers: Answers) {
  return { codes: answers.codes ?? "none", fields: questionsOf(rowsOfAnswer(answers)) };
}

export function SignupForm({ settings, draft }: Pick<StepProps, "settings" | "draft">) {
  const { setup, pages } = useOrganizeMessages();
  const { labels, hints, choices } = pages.forms;
  const modes = partOf("registration", "codes").choices ?? [];
  const of = (setting: string) => ({ settings, section: "registration", setting });
  const areFixed = isFixed(of("fields"));
  return (
    <>
      <div>
        <AnswerChoice
          draft={draft}
          name="codes"
          label={wordFor(labels, "codes")}
          options={modes.map((mode) => [mode, wordFor(choices, mode)])}
          of={of("codes")}
        />
        {draft.values.codes !== "none" && <p className={styles.note}>{setup.players.codesNote}</p>}
      </div>
      <div>
        <p>{wordFor(labels, "fields")}</p>
        <SignupFields
          label={wordFor(labels, "fields")}
          hint={areFixed ? setup.fixed : hints.fields}
          rows={rowsOfAnswer(draft.values)}
          readOnly={areFixed}
          onChange={(rows) => draft.set("questions", JSON.stringify(rows))}
        />
      </div>
    </>
  );
}
