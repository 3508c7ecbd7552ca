/** Recovery codes, shown once; the user must confirm that they are saved. */
import { useOrganizeMessages } from "../../messages/organize/words";
import { Form } from "../../ui/field/field";
import { CopyButton } from "./copy-button";
import styles from "./organize.module.css";
import { save } from "./save";
import { StepTitle } from "./step-title";

const FILE = "recovery-codes.txt";

interface RecoveryCodesProps {
  name: string;
  codes: readonly string[];
  onSaved: () => void;
}

export function RecoveryCodes({ name, codes, onSaved }: RecoveryCodesProps) {
  const words = useOrganizeMessages();
  const text = `${codes.join("\n")}\n`;
  const title = words.recovery.fileTitle(name, window.location.host);
  const file = new Blob([`${title}\n\n${text}`], { type: "text/plain" });
  return (
    <Form className={styles.stack} onSubmit={onSaved}>
      <StepTitle>{words.recovery.title}</StepTitle>
      <p>{words.recovery.note}</p>
      <ol aria-label={words.recovery.list} className={`${styles.code} ${styles.codes}`}>
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ol>
      <CopyButton text={text} label={words.recovery.copy}>
        <button type="button" onClick={() => save(file, FILE)}>
          {words.recovery.download}
        </button>
      </CopyButton>
      <label className={styles.choice}>
        <input type="checkbox" required />
        {words.recovery.saved}
      </label>
      <button type="submit">{words.continue}</button>
    </Form>
  );
}
