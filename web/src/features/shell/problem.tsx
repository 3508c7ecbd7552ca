/** Error pages: an unknown address, and a page that failed to load or render. */
import { useSyncExternalStore } from "react";
import { useMessages } from "../../messages/language";
import { ChunkError, Retry } from "../../ui/chunk/chunk";
import styles from "./shell.module.css";

/** An unknown address, without the picture: if its chunk does not load. */
export function NotFound() {
  const { problem } = useMessages();
  return (
    <section className="problem">
      <h1>{problem.nothingHere}</h1>
      <p>{problem.leadsNowhere}</p>
      <a href="/" className="button">
        {problem.toHome}
      </a>
    </section>
  );
}

function subscribeOnline(onChange: () => void): () => void {
  window.addEventListener("online", onChange);
  window.addEventListener("offline", onChange);
  return () => {
    window.removeEventListener("online", onChange);
    window.removeEventListener("offline", onChange);
  };
}

/** The error of a script that did not load; retries when the connection is back. */
export function PageFailed({ error }: { error: unknown }) {
  const { problem, translate } = useMessages();
  const isChunk = error instanceof ChunkError;
  const isOnline = useSyncExternalStore(subscribeOnline, () => navigator.onLine);
  const connection = isOnline ? problem.connectionDown : problem.offline;
  return (
    <section className="problem" role="alert">
      <h1>{isChunk ? translate({ message: error.message }) : problem.pageBroke}</h1>
      <p>{isChunk ? connection : problem.ourFault}</p>
      <div className={styles.ways}>
        <Retry automatic={isChunk} />
        {window.history.length > 1 && (
          <button type="button" onClick={() => window.history.back()}>
            {problem.back}
          </button>
        )}
      </div>
    </section>
  );
}
