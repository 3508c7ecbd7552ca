/** The open question and its answer. */
import { useEffect } from "react";
import type { Question } from "../../../api/organize-lists";
import { useOrganizeMessages, wordFor } from "../../../messages/organize/words";
import type { Action } from "../change/action-buttons";
import { useActionDialog } from "../change/action-dialog";
import { KeyHint } from "../frame/keys";
import { Panel } from "../frame/list";
import { Moment } from "../frame/moment";
import { useChallengeNames, useMay } from "../frame/queries";
import { type MenuEntry, RowMenu } from "../frame/row-menu";
import { ChallengeLink, TeamLink } from "../frame/view";
import { objectOf, QuestionState } from "./inbox";
import styles from "./messages.module.css";

/** Answer to a question. A public answer needs the permission to post notices. */
export function answerOf({ id, teamName, text }: Question, mayPost: boolean): Action {
  const fixed = mayPost ? { question: id } : { question: id, toAll: undefined };
  return { action: "question.answer", fixed, object: teamName, quote: text };
}

function useMenu({ id, teamName: team, state, text: quote }: Question): readonly MenuEntry[] {
  const { sheet } = useOrganizeMessages().pages;
  const { ask } = useActionDialog();
  const may = useMay();
  const close: Action = {
    ...{ action: "question.close", fixed: { question: id }, object: team, quote },
  };
  const write: Action = { action: "team.message", fixed: { team }, object: team };
  return [...(state === "open" ? [close] : []), write]
    .filter(({ action }) => may(action))
    .map((order) => ({ text: wordFor(sheet.actions, order.action), onPress: () => ask(order) }));
}

function AnswerButton({ question }: { question: Question }) {
  const { sheet } = useOrganizeMessages().pages;
  const { ask, renew } = useActionDialog();
  const order = answerOf(question, useMay()("notice.post"));
  // Keeps the open dialog up to date with the list.
  useEffect(() => renew(order));
  return (
    <button
      type="button"
      className={question.state === "open" ? "button-primary" : undefined}
      aria-keyshortcuts="r"
      onClick={() => ask(order)}
    >
      {wordFor(sheet.actions, order.action)}
      <KeyHint of="r" />
    </button>
  );
}

interface ThreadProps {
  question: Question;
  /** False if it is open because it is the first of the list. */
  isChosen: boolean;
}

export function Thread({ question, isChosen }: ThreadProps) {
  const { messages: words, list } = useOrganizeMessages().pages;
  const names = useChallengeNames();
  const may = useMay();
  const { teamName, challengeId, text, answer, answeredAt, state, at } = question;
  const menu = useMenu(question);
  return (
    <Panel
      title={teamName}
      names={["question"]}
      object={isChosen ? objectOf(question) : undefined}
      isFixed
      action={may("question.answer") && <AnswerButton question={question} />}
      menu={<RowMenu label={list.actions(teamName)} items={menu} />}
    >
      <p className={styles.meta}>
        <QuestionState state={state} />
        <TeamLink team={teamName} />
        {challengeId && <ChallengeLink id={challengeId} name={names[challengeId] ?? challengeId} />}
      </p>
      <article className={styles.question}>
        <p className="org-text">{text === "" ? words.unasked : text}</p>
        <footer>
          <bdi>{teamName}</bdi>, <Moment ms={at} />
        </footer>
      </article>
      {answer && (
        <article className={styles.answer}>
          <p className="org-text">{answer}</p>
          <footer>
            {words.answer}
            {answeredAt && (
              <>
                , <Moment ms={answeredAt} />
              </>
            )}
          </footer>
        </article>
      )}
    </Panel>
  );
}
