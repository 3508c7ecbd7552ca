/** Error pages: an unknown address, and a page that failed to load or render. */
import { useMessages } from "../../messages/language";
import { ChunkError } from "../../ui/chunk/chunk";
import styles from "./shell.module.css";

export function NotFound() {
  const { problem } = useMessages();
  return (
    <section className={styles.problem}>
      <h1>{problem.nothingHere}</h1>
      <p>{problem.leadsNowhere}</p>
      <a href="/" className="button">
        {problem.toHome}
      </a>
    </section>
  );
}

/** Retry reloads the document: not every browser fetches a failed script again. */
export function PageFailed({ error }: { error: unknown }) {
  const { problem, translate } = useMessages();
  const isChunk = error instanceof ChunkError;
  return (
    <section className={styles.problem} role="alert">
      <h1>{isChunk ? translate({ message: error.message }) : problem.pageBroke}</h1>
      <p>{isChunk ? problem.connectionDown : problem.ourFault}</p>
      <button type="button" onClick={() => window.location.reload()}>
        {problem.retry}
      </button>
    </section>
  );
}
