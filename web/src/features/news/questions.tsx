/** The team's questions with their answers, and a form for a general question. */
import type { UseQueryResult } from "@tanstack/react-query";
import { loginAddress } from "../../addresses";
import { useAsking } from "../../api/asking";
import { isOpen, type Question } from "../../domain/news";
import { useMessages } from "../../messages/language";
import { isSettled, Pending } from "../../ui/loading/loading";
import { QuestionForm, QuestionList } from "../../ui/questions/questions";
import styles from "./news.module.css";

interface OwnProps {
  questions: UseQueryResult<Question[]>;
  nameOf: (challengeId: string) => string;
  isNew: (question: Question) => boolean;
}

function Own({ questions, nameOf, isNew }: OwnProps) {
  const { translate, questions: words } = useMessages();
  const { error, ...asking } = useAsking(null);
  const { data = [] } = questions;
  return (
    <>
      {data.length > 0 && (
        <QuestionList
          label={words.own}
          questions={data}
          aboutOf={({ challengeId }) => (challengeId ? nameOf(challengeId) : undefined)}
          isNew={(question) => !isOpen(question) && isNew(question)}
        />
      )}
      <Pending query={questions} label={words.loading} shape="list" />
      {isSettled(questions) && (
        <QuestionForm label={words.ask} fault={error && translate(error)} {...asking} />
      )}
    </>
  );
}

export function Questions({ hasTeam, ...own }: OwnProps & { hasTeam: boolean }) {
  const { questions: words } = useMessages();
  return (
    <section aria-labelledby="questions" className={styles.questions}>
      <h2 id="questions">{words.title}</h2>
      {hasTeam ? (
        <Own {...own} />
      ) : (
        <a href={loginAddress("/news")} className="button">
          {words.logIn}
        </a>
      )}
    </section>
  );
}
