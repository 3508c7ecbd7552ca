/** Saved replies, shared by all organizers. */
import { useEffect, useRef } from "react";
import { getAnswers, type ReadyAnswer } from "../../../api/organize-settings";
import { useOrganizeMessages, wordFor } from "../../../messages/organize/words";
import { Field } from "../../../ui/field/field";
import { useMedia } from "../../../ui/motion/motion";
import { LongField } from "../change/fields";
import { Add, Remove } from "../editor/parts";
import { SetFormFrame, useSetForm } from "../forms/form";
import { type Row, rowsOfPart, type Values } from "../forms/values";
import { Empty } from "../frame/empty";
import { ListState } from "../frame/list";
import { useAnswers, useMay } from "../frame/queries";
import { changeView, useView, ViewLink } from "../frame/view";
import { useGate } from "../second-factor-gate";
import styles from "./messages.module.css";

const nowOf = (answers: readonly ReadyAnswer[]): Values => ({
  answers: answers.map(({ title, text }) => ({ title, text })),
});

/** Saved replies of a draft; null if one is incomplete. */
export function answersOf(values: Values): ReadyAnswer[] | null {
  const all = rowsOfPart(values.answers).map(({ title = "", text = "" }) => {
    return { title: title.trim(), text: text.trim() };
  });
  const typed = all.filter(({ title, text }) => title !== "" || text !== "");
  return typed.some(({ title, text }) => title === "" || text === "") ? null : typed;
}

interface EditorProps {
  reply: Row;
  number: number;
  onChange: (reply: Row) => void;
  onRemove: () => void;
}

/** Fields of a reply. A new one takes the focus. */
function ReplyEditor({ reply, number, onChange, onRemove }: EditorProps) {
  const { forms: words } = useOrganizeMessages().pages;
  const field = useRef<HTMLInputElement>(null);
  const { title = "", text = "" } = reply;
  const isNew = useRef(title === "" && text === "");
  useEffect(() => {
    if (isNew.current) field.current?.focus();
  }, []);
  return (
    <div className={styles.reply}>
      <Field
        ref={field}
        label={words.answerTitle(number)}
        autoComplete="off"
        maxLength={200}
        value={title}
        onChange={(event) => onChange({ ...reply, title: event.currentTarget.value })}
      />
      <Remove label={words.removeAnswer(number)} onRemove={onRemove} />
      <LongField
        label={words.answerText(number)}
        value={text}
        maxLength={8000}
        rows={10}
        onChange={(typed) => onChange({ ...reply, text: typed })}
      />
    </div>
  );
}

interface RepliesProps {
  rows: readonly Row[];
  onChange: (rows: readonly Row[]) => void;
}

/** The list, and the open reply beside it, or below its row on narrow screens. */
function Replies({ rows, onChange }: RepliesProps) {
  const { forms: words } = useOrganizeMessages().pages;
  const isWide = useMedia("(width >= 64rem)");
  const asked = Number(useView()("reply") || (isWide ? 1 : 0));
  const open = Math.min(asked, rows.length);
  const reply = rows[open - 1];
  function add() {
    onChange([...rows, { title: "", text: "" }]);
    changeView({ reply: `${rows.length + 1}` }, { replace: true });
  }
  const editor = reply && (
    <ReplyEditor
      key={open}
      reply={reply}
      number={open}
      onChange={(next) => onChange(rows.with(open - 1, next))}
      onRemove={() => onChange(rows.toSpliced(open - 1, 1))}
    />
  );
  const addButton = <Add label={words.addAnswer} onAdd={add} />;
  if (rows.length === 0) {
    return (
      <Empty title={words.noAnswers} note={words.noAnswersNote}>
        {addButton}
      </Empty>
    );
  }
  return (
    <>
      <div className={styles.list}>
        <ul className={styles.inbox}>
          {rows.map(({ title, text }, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: replies are identified by their index.
            <li key={at}>
              <ViewLink
                data-row
                changes={{ reply: !isWide && at + 1 === open ? undefined : `${at + 1}` }}
                aria-current={at + 1 === open}
              >
                <bdi className={styles.team}>{title || words.answerName(at + 1)}</bdi>
                <span className={styles.excerpt}>{text}</span>
              </ViewLink>
              {!isWide && at + 1 === open && editor}
            </li>
          ))}
        </ul>
        {addButton}
      </div>
      {isWide && editor}
    </>
  );
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
  return (
    <SetFormFrame form={form} action="answers.set" title={words.answers} note={words.answersNote}>
      <fieldset className={styles.replies}>
        <legend className="visually-hidden">{wordFor(words.labels, "answers")}</legend>
        <Replies
          rows={rowsOfPart(form.draft.values.answers)}
          onChange={(next) => form.draft.set("answers", next)}
        />
      </fieldset>
      <div role="status" className={styles.lacks}>
        {answersOf(form.draft.values) === null && <p className="org-fault">{words.answerLacks}</p>}
      </div>
    </SetFormFrame>
  );
}

export function ReadyAnswers() {
  const answers = useAnswers();
  if (!useMay()("answers.set")) return null;
  return (
    <div className={styles.answers}>
      <ListState of={answers}>{(all) => <AnswersForm answers={all} />}</ListState>
    </div>
  );
}
