/** The team's questions with their answers, and a form for one that is about no challenge. */
import type { UseQueryResult } from "@tanstack/react-query";
import { loginAddress } from "../../addresses";
import { failureOf } from "../../api/client";
import { useAsking } from "../../api/questions";
import { isOpen, type Question } from "../../domain/news";
import { useMessages } from "../../messages/language";
import { Loading } from "../../ui/loading/loading";
import { QuestionForm, QuestionList } from "../../ui/questions/questions";
import styles from "./news.module.css";

interface QuestionsProps {
  /** Null if no team is logged in. */
  questions: UseQueryResult<Question[]> | null;
  nameOf: (challengeId: string) => string;
  isNew: (question: Question) => boolean;
}

type OwnProps = QuestionsProps & { questions: UseQueryResult<Question[]> };

function Own({ questions, nameOf, isNew }: OwnProps) {
  const { problem, translate, questions: words } = useMessages();
  const { error: refused, ...asking } = useAsking(null);
  const { data, error, refetch } = questions;
  const byId = new Map(data?.map((question) => [question.id, question]));
  const aboutOf = (id: number) => {
    const about = byId.get(id)?.challengeId ?? null;
    return about === null ? undefined : nameOf(about);
  };
  const isNewAnswer = (id: number) => {
    const question = byId.get(id);
    return question !== undefined && !isOpen(question) && isNew(question);
  };
  return (
    <>
      {data && data.length > 0 && (
        <QuestionList label={words.own} questions={data} aboutOf={aboutOf} isNew={isNewAnswer} />
      )}
      {!data && !error && <Loading label={words.loading} />}
      {!data && error && (
        <p role="alert" className={styles.fault}>
          {translate(failureOf(error))}{" "}
          <button type="button" onClick={() => void refetch()}>
            {problem.retry}
          </button>
        </p>
      )}
      <QuestionForm
        label={words.ask}
        fault={refused && translate(failureOf(refused))}
        {...asking}
      />
    </>
  );
}

export function Questions(props: QuestionsProps) {
  const { questions: words } = useMessages();
  const { questions } = props;
  return (
    <section aria-labelledby="questions" className={styles.section}>
      <h2 id="questions">{words.title}</h2>
      {questions === null ? (
        <p className={styles.empty}>
          <a href={loginAddress("/news")}>{words.logIn}</a>
        </p>
      ) : (
        <Own {...props} questions={questions} />
      )}
    </section>
  );
}
