/** The answers that are ready for questions: all organizers have the same. */
import { getAnswers, type ReadyAnswer } from "../../../api/organize-settings";
import { useOrganizeMessages, wordFor } from "../../../messages/organize/words";
import { Field } from "../../../ui/field/field";
import { LongField } from "../change/fields";
import { Add, Remove, replaced } from "../editor/parts";
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
    act(values) {
      const all = answersOf(values);
      return all && { act: "answers.set", fixed: { answers: all }, object: words.answers };
    },
  });
  const rows = rowsOfPart(form.draft.values.answers);
  const set = (next: typeof rows) => form.draft.set("answers", next);
  return (
    <SetFormFrame form={form} act="answers.set" title={words.answers} note={words.answersNote}>
      <fieldset className="org-part">
        <legend className="visually-hidden">{wordFor(words.labels, "answers")}</legend>
        {rows.length === 0 && <p>{words.noAnswers}</p>}
        {rows.map((row, at) => {
          const change = (name: string, text: string) =>
            set(replaced(rows, at, { ...row, [name]: text }));
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: an answer is known by its place alone.
            <div key={at} className="org-row">
              <Field
                label={words.answerTitle(at + 1)}
                autoComplete="off"
                maxLength={200}
                value={row.title ?? ""}
                onChange={(event) => change("title", event.currentTarget.value)}
              />
              <div className="org-grow">
                <LongField
                  label={words.answerText(at + 1)}
                  value={row.text ?? ""}
                  fault={null}
                  maxLength={8000}
                  onChange={(text) => change("text", text)}
                />
              </div>
              <Remove label={words.removeAnswer(at + 1)} onRemove={() => set(replaced(rows, at))} />
            </div>
          );
        })}
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
