/** Who waits for an answer, and what everyone was told. */
import { useState } from "react";
import type { Notice, Question } from "../../../api/organize-lists";
import { useOrganizeMessages, wordFor } from "../../../messages/organize/words";
import { Html } from "../../../ui/html/html";
import { Loading } from "../../../ui/loading/loading";
import { type Action, ActionButtons } from "../change/action-buttons";
import { LooksHere } from "../frame/channel";
import { useShortcut } from "../frame/keys";
import { ChoiceFilter, ListPage, ListState } from "../frame/list";
import { Moment } from "../frame/moment";
import { useAnswers, useMay, useNotices, useQuestions } from "../frame/reading";
import { TeamLink, useView } from "../frame/view";
import { ReadyAnswers } from "./answers";

/** An answer to everyone is for who may post notices. */
function questionActions(
  { id, state, teamName, text }: Question,
  mayPost: boolean,
): readonly Action[] {
  const object = teamName;
  const fixed = mayPost ? { question: id } : { question: id, toAll: undefined };
  const answer: Action = { action: "question.answer", fixed, object, quote: text };
  const close: Action = { ...answer, action: "question.close", fixed: { question: id } };
  return state === "open" ? [answer, close] : [answer];
}

function QuestionItem({ question }: { question: Question }) {
  const { desk: words } = useOrganizeMessages().pages;
  const mayPost = useMay()("notice.post");
  const { teamName: team, challengeId, text, answer, state } = question;
  return (
    <li className="org-item" data-question={state}>
      <p className="org-note">
        <Moment ms={question.at} /> <TeamLink data-row team={team} />
        {challengeId && (
          <>
            , <bdi>{words.about(challengeId)}</bdi>
          </>
        )}{" "}
        <strong className={state === "open" ? "org-bad" : undefined}>
          {wordFor(words.states, state)}
        </strong>
      </p>
      <p className="org-text">{text === "" ? words.unasked : text}</p>
      {answer && (
        <blockquote className="org-text">
          {words.answer}: {answer}
        </blockquote>
      )}
      <LooksHere object={`question ${question.id}`} />
      <ActionButtons name={team} actions={questionActions(question, mayPost)} />
    </li>
  );
}

function noticeActions({ id, title, withdrawn }: Notice): readonly Action[] {
  if (withdrawn) return [];
  const fixed = { notice: id };
  return [
    { action: "notice.correct", fixed, object: title, initial: { title } },
    { action: "notice.withdraw", fixed, object: title },
  ];
}

function NoticeItem({ notice }: { notice: Notice }) {
  const { desk: words } = useOrganizeMessages().pages;
  const { title, html, challengeId, urgent, urgentUntil } = notice;
  const { waits, withdrawn, correctedAt } = notice;
  return (
    <li className="org-item">
      <h3>
        <bdi>{title}</bdi>
      </h3>
      <p className="org-note">
        <Moment ms={notice.at} />
        {challengeId && `, ${words.about(challengeId)}`}
        {urgent && `, ${words.urgent}`}
        {urgent && urgentUntil && (
          <>
            {" "}
            {words.until} <Moment ms={urgentUntil} />
          </>
        )}
        {waits && `, ${words.waits}`}
        {withdrawn && `, ${words.withdrawn}`}
        {correctedAt && (
          <>
            , {words.corrected} <Moment ms={correctedAt} />
          </>
        )}
      </p>
      <Html html={html} />
      <LooksHere object={`notice ${notice.id}`} />
      <ActionButtons name={title} actions={noticeActions(notice)} />
    </li>
  );
}

/** `r` answers the question that has the focus, or the first one that waits. */
function useReplyKey(): void {
  const { sheet } = useOrganizeMessages().pages;
  useShortcut("r", wordFor(sheet.actions, "question.answer"), () => {
    const focused = document.activeElement?.closest("[data-question]");
    const question = focused ?? document.querySelector("[data-question=open]");
    question?.querySelector<HTMLElement>("button")?.click();
  });
}

function Questions() {
  const { desk: words } = useOrganizeMessages().pages;
  useReplyKey();
  const state = useView()("state");
  return (
    <section className="org-card">
      <h2>{words.questions}</h2>
      <ListState of={useQuestions()}>
        {(all) => {
          const left = all.filter((one) => state === "" || one.state === state);
          if (left.length === 0) return <p>{words.none}</p>;
          return (
            <ul className="org-stream">
              {left.map((question) => (
                <QuestionItem key={question.id} question={question} />
              ))}
            </ul>
          );
        }}
      </ListState>
    </section>
  );
}

function Notices() {
  const { desk: words, sheet } = useOrganizeMessages().pages;
  const post: Action = {
    action: "notice.post",
    fixed: {},
    object: sheet.notice,
    key: "a",
  };
  return (
    <section className="org-card">
      <div className="org-bar">
        <h2>{words.notices}</h2>
        <ActionButtons name={words.notices} actions={[post]} />
      </div>
      <ListState of={useNotices()}>
        {(all) =>
          all.length === 0 ? (
            <p>{words.noNotices}</p>
          ) : (
            <ul className="org-stream">
              {all.map((notice) => (
                <NoticeItem key={notice.id} notice={notice} />
              ))}
            </ul>
          )
        }
      </ListState>
    </section>
  );
}

/**
 * False until each list has been read or has failed, once: one that comes after the others would
 * move them.
 */
function useAreThere(): boolean {
  const [areThere, setThere] = useState(false);
  const lists = [useQuestions(), useNotices(), useAnswers()];
  const isComing = lists.some(({ isLoading, failureCount }) => isLoading && failureCount === 0);
  if (!isComing && !areThere) setThere(true);
  return areThere;
}

export default function DeskPage() {
  const { desk: words, list } = useOrganizeMessages().pages;
  const areThere = useAreThere();
  const filters = <ChoiceFilter name="state" label={words.state} words={words.states} />;
  return (
    <ListPage title={words.title} filters={filters}>
      {areThere ? (
        <div className="org-bands">
          <Questions />
          <Notices />
          <ReadyAnswers />
        </div>
      ) : (
        <Loading label={list.loading} />
      )}
    </ListPage>
  );
}
