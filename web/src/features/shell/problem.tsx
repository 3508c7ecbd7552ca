/** Pages for what went wrong: an address that leads nowhere, a page whose code did not load. */
import { Link } from "@tanstack/react-router";
import { ChunkError } from "../../ui/chunk";
import styles from "./shell.module.css";

export function NotFound() {
  return (
    <section className={styles.problem}>
      <h1>Nothing here</h1>
      <p>This address leads nowhere.</p>
      <Link to="/" className="button">
        To the home page
      </Link>
    </section>
  );
}

/** A retry loads the page anew: a failed script is not fetched twice by every browser. */
export function PageFailed({ error }: { error: unknown }) {
  const isChunk = error instanceof ChunkError;
  return (
    <section className={styles.problem} role="alert">
      <h1>{isChunk ? error.message : "This page broke"}</h1>
      <p>{isChunk ? "The connection may be down." : "That is our fault, not yours."}</p>
      <button type="button" onClick={() => window.location.reload()}>
        Retry
      </button>
    </section>
  );
}
