/** The answers that are ready for questions: all organizers have the same. */
import { getAnswers, type ReadyAnswer } from "../../../api/organize-settings";
import { useOrganizeMessages, wordFor } from "../../../messages/organize/words";
import { Field } from "../../../ui/field/field";
import { LongField } from "../change/fields";
import { Add, Rows } from "../editor/parts";
import { SetFormFrame, useSetForm } from "../forms/form";
import { rowsOfPart, type Values } from "../forms/values";
import { ListState } from "../frame/list";
import { useAnswers, useMay } from "../frame/reading";
import { useGate } from "../gate";

const nowOf = (answers: readonly ReadyAnswer[]): Values => ({
  answers: answers.map(({ title, text }) => ({ title, text })),
});

/** The answers of a draft; null if one of them lacks something. */
export function answersOf(values: Values): ReadyAnswer[] | null {
  const all = rowsOfPart(values.answers).map(({ title = "", text = "" }) => {
    return { title: title.trim(), text: text.trim() };
  });
  const typed = all.filter(({ title, text }) => title !== "" || text !== "");
  return typed.some(({ title, text }) => title === "" || text === "") ? null : typed;
}

function AnswersForm({ answers }: { answers: readonly ReadyAnswer[] }) {
  const { forms: words } = useOrganizeMessages().pages;
  const run = useGate();
  const form = useSetForm({
    key: "form answers",
    now: nowOf(answers),
    readNow: async () => nowOf(await run(getAnswers)),
    action(values) {
      const all = answersOf(values);
      return all && { action: "answers.set", fixed: { answers: all }, object: words.answers };
    },
  });
  const rows = rowsOfPart(form.draft.values.answers);
  const set = (next: typeof rows) => form.draft.set("answers", next);
  return (
    <SetFormFrame form={form} action="answers.set" title={words.answers} note={words.answersNote}>
      <fieldset className="org-part">
        <legend className="visually-hidden">{wordFor(words.labels, "answers")}</legend>
        {rows.length === 0 && <p>{words.noAnswers}</p>}
        <Rows of={rows} onChange={set} removeLabel={words.removeAnswer}>
          {(row, number, change) => (
            <>
              <Field
                label={words.answerTitle(number)}
                autoComplete="off"
                maxLength={200}
                value={row.title ?? ""}
                onChange={(event) => change({ ...row, title: event.currentTarget.value })}
              />
              <div className="org-grow">
                <LongField
                  label={words.answerText(number)}
                  value={row.text ?? ""}
                  maxLength={8000}
                  onChange={(text) => change({ ...row, text })}
                />
              </div>
            </>
          )}
        </Rows>
        <div role="status">
          {answersOf(form.draft.values) === null && (
            <p className="org-fault">{words.answerLacks}</p>
          )}
        </div>
        <Add label={words.addAnswer} onAdd={() => set([...rows, { title: "", text: "" }])} />
      </fieldset>
    </SetFormFrame>
  );
}

export function ReadyAnswers() {
  const answers = useAnswers();
  if (!useMay()("answers.set")) return null;
  return <ListState of={answers}>{(all) => <AnswersForm answers={all} />}</ListState>;
}
