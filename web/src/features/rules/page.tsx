/** The rules page, from the event's `rules.md`. */
import { failureOf } from "../../api/client";
import { useRules } from "../../api/queries";
import { useMessages } from "../../messages/language";
import { Html } from "../../ui/html/html";
import { Loading } from "../../ui/loading/loading";
import styles from "./rules.module.css";

export default function RulesPage() {
  const messages = useMessages();
  const { data, error, refetch } = useRules();
  return (
    <article className={styles.rules}>
      <h1>{messages.rules.title}</h1>
      {data === undefined && !error && <Loading label={messages.loading.rules} />}
      {data !== undefined && <Html html={data} className={styles.text} />}
      {error && data === undefined && (
        <div role="alert">
          <p>{messages.translate(failureOf(error))}</p>
          <button type="button" onClick={() => void refetch()}>
            {messages.problem.retry}
          </button>
        </div>
      )}
    </article>
  );
}
