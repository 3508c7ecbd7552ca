/** A page of text that organizers wrote. */
import { useMessages } from "../../messages/language";
import { Html } from "../html/html";
import { Loading } from "../loading/loading";
import styles from "./text-page.module.css";

interface TextPageProps {
  title: string;
  /** Undefined until it is there. */
  html: string | undefined;
  /** A sentence of the site's under the text. */
  note?: string | undefined;
  loading: string;
  /** Why it is not there. */
  failure: string | null;
  onRetry: () => void;
}

export function TextPage({ title, html, note, loading, failure, onRetry }: TextPageProps) {
  const { problem } = useMessages();
  return (
    <article className={styles.page}>
      <h1>{title}</h1>
      {html === undefined && failure === null && <Loading label={loading} />}
      {html !== undefined && <Html html={html} className={styles.text} />}
      {html !== undefined && note !== undefined && <p className={styles.text}>{note}</p>}
      {html === undefined && failure !== null && (
        <div role="alert">
          <p>{failure}</p>
          <button type="button" onClick={onRetry}>
            {problem.retry}
          </button>
        </div>
      )}
    </article>
  );
}
