/** The recovery codes, shown once; the person continues after saving them. */
import { useOrganizeMessages } from "../../messages/organize/words";
import { CopyButton } from "./copy-button";
import styles from "./organize.module.css";

const FILE = "recovery-codes.txt";
/** Safari reads the file after the click. */
const KEEP_MS = 60_000;

function download(text: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  link.download = FILE;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), KEEP_MS);
}

interface RecoveryCodesProps {
  name: string;
  codes: readonly string[];
  onSaved: () => void;
}

export function RecoveryCodes({ name, codes, onSaved }: RecoveryCodesProps) {
  const words = useOrganizeMessages();
  const text = `${codes.join("\n")}\n`;
  const title = words.recovery.fileTitle(name, window.location.host);
  return (
    <form
      className={styles.stack}
      onSubmit={(event) => {
        event.preventDefault();
        onSaved();
      }}
    >
      <p>{words.recovery.note}</p>
      <ol aria-label={words.recovery.list} className={`${styles.code} ${styles.codes}`}>
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ol>
      <CopyButton text={text} label={words.recovery.copy}>
        <button type="button" onClick={() => download(`${title}\n\n${text}`)}>
          {words.recovery.download}
        </button>
      </CopyButton>
      <label className={styles.choice}>
        <input type="checkbox" required />
        {words.recovery.saved}
      </label>
      <button type="submit">{words.continue}</button>
    </form>
  );
}
