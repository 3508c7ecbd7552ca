/** A page of text that organizers wrote. */
import { useMessages } from "../../messages/language";
import { Html } from "../html/html";
import { Loading } from "../loading/loading";
import styles from "./text-page.module.css";

interface TextPageProps {
  title: string;
  query: {
    data: { html: string } | undefined;
    error: Error | null;
    refetch: () => Promise<unknown>;
  };
  /** A sentence of the site's under the text. */
  note?: string | undefined;
  loading: string;
}

export function TextPage({ title, query, note, loading }: TextPageProps) {
  const { problem, translate } = useMessages();
  const { data, error } = query;
  return (
    <article className={styles.page}>
      <h1>{title}</h1>
      {!data && !error && <Loading label={loading} />}
      {data && <Html html={data.html} className={styles.text} />}
      {data && note !== undefined && <p className={styles.text}>{note}</p>}
      {!data && error && (
        <div role="alert">
          <p>{translate(error)}</p>
          <button type="button" onClick={() => void query.refetch()}>
            {problem.retry}
          </button>
        </div>
      )}
    </article>
  );
}
