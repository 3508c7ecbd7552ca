/** The rules, as the event's `rules.md` says them. */

import { errorMessage } from "../../api/client";
import { useRules } from "../../api/queries";
import { Html } from "../../ui/html";
import { Loading } from "../../ui/loading";
import styles from "./rules.module.css";

export default function RulesPage() {
  const { data, error, refetch } = useRules();
  return (
    <article className={styles.rules}>
      <h1>Rules</h1>
      {data === undefined && !error && <Loading what="the rules" />}
      {data !== undefined && <Html html={data} className={styles.text} />}
      {error && data === undefined && (
        <div role="alert">
          <p>{errorMessage(error)}</p>
          <button type="button" onClick={() => void refetch()}>
            Retry
          </button>
        </div>
      )}
    </article>
  );
}
