/** The loading placeholder, in the shape of the content to come, and its error. */
import { type Query, useQueryClient } from "@tanstack/react-query";
import { useEffect, useReducer } from "react";
import { useMessages } from "../../messages/language";
import { BrokenIcon } from "../icons/icons";
import styles from "./loading.module.css";

/** Bars of a placeholder by its shape. */
const SHAPES = {
  /** Headings with paragraphs. */
  text: 9,
  /** Rows of the same height. */
  rows: 6,
  /** Notices, one below the other. */
  list: 3,
  /** A wide card, then cards beside each other. */
  cards: 5,
} as const;

interface LoadingProps {
  label: string;
  shape?: keyof typeof SHAPES;
}

export function Loading({ label, shape = "text" }: LoadingProps) {
  const bars = Array.from({ length: SHAPES[shape] }, (_, bar) => bar);
  return (
    <div
      className={styles.loading}
      data-shape={shape}
      role="status"
      aria-label={label}
      data-skeleton
    >
      {bars.map((bar) => (
        <span key={bar} />
      ))}
    </div>
  );
}

interface FailedProps {
  text: string;
  onRetry: () => void;
}

/** An error in place of content, with a button to retry. */
export function Failed({ text, onRetry }: FailedProps) {
  const { problem } = useMessages();
  return (
    <div role="alert" className={styles.failed}>
      <BrokenIcon />
      <p>{text}</p>
      <button type="button" onClick={onRetry}>
        {problem.retry}
      </button>
    </div>
  );
}

/** Time after which a placeholder is no longer enough. */
const SLOW_MS = 8000;

/** True after the request took too long; `restart` measures again. */
function useIsSlow(isLoading: boolean): [boolean, restart: () => void] {
  const [isSlow, setSlow] = useReducer((_: boolean, next: boolean) => next, false);
  const [tries, restart] = useReducer((count: number) => count + 1, 0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each try is measured.
  useEffect(() => {
    setSlow(false);
    if (!isLoading) return;
    const timer = setTimeout(setSlow, SLOW_MS, true);
    return () => clearTimeout(timer);
  }, [isLoading, tries]);
  return [isSlow, restart];
}

interface PendingQuery {
  data: unknown;
  error: Error | null;
  /** The last failure, also while the request is repeated. */
  failureReason: Error | null;
  refetch: () => Promise<unknown>;
}

/** True once a query has data or a failure, so that what is below it has its place. */
export function isSettled({ data, error, failureReason }: PendingQuery): boolean {
  return data !== undefined || error !== null || failureReason !== null;
}

interface PendingProps extends LoadingProps {
  query: PendingQuery;
}

/**
 * Stands in for query data: the placeholder, or the error and a retry button. A failure is shown
 * immediately, while the request is repeated, and so is a request without a response.
 */
export function Pending({ query, label, shape = "text" }: PendingProps) {
  const { problem, translate } = useMessages();
  const failure = query.error ?? query.failureReason;
  const isLoading = !isSettled(query);
  const [isSlow, restart] = useIsSlow(isLoading);
  const cache = useQueryClient();
  /** Replaces requests without a response, which a refetch would continue to wait for. */
  async function retry() {
    const predicate = ({ state }: Query) => state.data === undefined;
    await cache.cancelQueries({ type: "active", fetchStatus: "fetching", predicate });
    await query.refetch();
  }
  if (query.data !== undefined) return null;
  if (isLoading && !isSlow) return <Loading label={label} shape={shape} />;
  return (
    <Failed
      text={failure === null ? problem.slow : translate(failure)}
      onRetry={() => {
        restart();
        void retry();
      }}
    />
  );
}
