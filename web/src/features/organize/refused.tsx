/** What stands instead of a page's content: that the page needs https, or that a call failed. */
import { useMessages } from "../../messages/language";
import { useOrganizeMessages } from "../../messages/organize/words";
import { useSentence } from "./fault";
import styles from "./organize.module.css";

export function Insecure() {
  return <p>{useOrganizeMessages().insecure}</p>;
}

/** Why something was not done. */
export function Fault({ text }: { text: string | null | undefined }) {
  if (text === null || text === undefined) return null;
  return (
    <p role="alert" className={styles.fault}>
      {text}
    </p>
  );
}

export function Failed({ error, onRetry }: { error: unknown; onRetry: () => void }) {
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
