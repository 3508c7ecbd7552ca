/** The loading placeholder: grey bars, and a text for screen readers. */
import { useMessages } from "../../messages/language";
import styles from "./loading.module.css";

const BARS = [1, 2, 3, 4, 5];

export function Loading({ label }: { label: string }) {
  return (
    <div className={styles.loading} role="status" aria-label={label} data-skeleton>
      {BARS.map((bar) => (
        <span key={bar} />
      ))}
    </div>
  );
}

interface PendingProps {
  query: { data: unknown; error: Error | null; refetch: () => Promise<unknown> };
  label: string;
  className?: string | undefined;
}

/** In place of what a query fetches: the placeholder, or why it is missing and a button. */
export function Pending({ query, label, className }: PendingProps) {
  const { problem, translate } = useMessages();
  if (query.data !== undefined) return null;
  if (query.error === null) return <Loading label={label} />;
  return (
    <p role="alert" className={className}>
      {translate(query.error)}{" "}
      <button type="button" onClick={() => void query.refetch()}>
        {problem.retry}
      </button>
    </p>
  );
}
