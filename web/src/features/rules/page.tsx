/** The rules, as the event's `rules.md` says them. */
import { failureOf } from "../../api/client";
import { useRules } from "../../api/queries";
import { useMessages } from "../../messages/language";
import { Html } from "../../ui/html/html";
import { Loading } from "../../ui/loading/loading";
import styles from "./rules.module.css";

export default function RulesPage() {
  const say = useMessages();
  const { data, error, refetch } = useRules();
  return (
    <article className={styles.rules}>
      <h1>{say.rules.title}</h1>
      {data === undefined && !error && <Loading label={say.loading.rules} />}
      {data !== undefined && <Html html={data} className={styles.text} />}
      {error && data === undefined && (
        <div role="alert">
          <p>{say.translate(failureOf(error))}</p>
          <button type="button" onClick={() => void refetch()}>
            {say.problem.retry}
          </button>
        </div>
      )}
    </article>
  );
}
