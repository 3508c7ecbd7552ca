/** Replacements for page content: the page needs HTTPS, or a request failed. */
import type { ReactNode } from "react";
import { codeOf } from "../../api/organize";
import { useMessages } from "../../messages/language";
import { useOrganizeMessages } from "../../messages/organize/words";
import { Loading } from "../../ui/loading/loading";
import { useSentence } from "./fault";
import styles from "./organize.module.css";

export function HttpsRequired() {
  return <p>{useOrganizeMessages().insecure}</p>;
}

export function Fault({ text }: { text: string | null | undefined }) {
  if (text === null || text === undefined) return null;
  return (
    <p role="alert" className={styles.fault}>
      {text}
    </p>
  );
}

interface QueryContentProps<T> {
  of: { readonly data: T | undefined; readonly error: unknown; refetch(): unknown };
  label: string;
  title?: string;
  children: (data: T) => ReactNode;
}

/** Renders loaded data, a placeholder, or the error. */
export function QueryContent<T>({
  of: { data, error, refetch },
  label,
  title,
  children,
}: QueryContentProps<T>) {
  if (data !== undefined) return <>{children(data)}</>;
  if (!error || codeOf(error) === "login_needed") return <Loading label={label} />;
  return (
    <>
      {title !== undefined && <h1>{title}</h1>}
      <ErrorWithRetry error={error} onRetry={() => void refetch()} />
    </>
  );
}

export function ErrorWithRetry({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const { problem } = useMessages();
  const sentence = useSentence()(error);
  if (sentence === null) return null;
  return (
    <div role="alert" className={styles.row}>
      <p>{sentence}</p>
      <button type="button" onClick={onRetry}>
        {problem.retry}
      </button>
    </div>
  );
}
