/** Foot of the editor: problems, the effect of saving, and the one button that saves. */
import { useOrganizeMessages, wordFor } from "../../../../messages/organize/words";
import { useSentence } from "../../fault";
import { KeyHint } from "../../frame/keys";
import type { SaveMode } from "../draft/save";
import type { Editing } from "../draft/use-editor";
import styles from "./layout.module.css";

function useButtonText(isNew: boolean, mode: SaveMode): string {
  const { editor: words, sheet } = useOrganizeMessages().pages;
  if (mode === "review") return isNew ? words.reviewAndCreate : words.reviewAndSave;
  return isNew ? wordFor(sheet.actions, "challenge.create") : words.save;
}

/** State of the draft, and what saving does. */
function Says({ editing }: { editing: Editing }) {
  const { editor: words } = useOrganizeMessages().pages;
  const sentence = useSentence();
  const { sending, isChanged, save, looked } = editing;
  const { mode, effect, isWanted } = save;
  const isUnsaved = isChanged || sending.isSending;
  const does = mode === "checking" || isWanted ? words.checking : effect;
  const fault = looked.error === null ? null : `${words.noPreview} ${sentence(looked.error)}`;
  return (
    <div role="status" className={styles.says}>
      <span className={styles.draft} title={isUnsaved ? words.keptHere : undefined}>
        {sending.isSending ? words.files.sending : isUnsaved ? words.unsavedHere : words.unchanged}
      </span>
      {fault !== null && <span className={styles.fault}>{fault}</span>}
      {does && <span className={styles.effect}>{does}</span>}
    </div>
  );
}

interface FootProps {
  editing: Editing;
  isNew: boolean;
  onProblem: () => void;
}

export function Foot({ editing, isNew, onProblem }: FootProps) {
  const { editor: words } = useOrganizeMessages().pages;
  const { sending, isChanged, save, problems, discard } = editing;
  const { mode, errors, press } = save;
  const text = useButtonText(isNew, mode);
  const warnings = problems.length - errors;
  const found = errors > 0 ? words.errors(errors) : words.warnings(warnings);
  return (
    <footer className={styles.foot}>
      {problems.length > 0 && (
        <button
          type="button"
          className={errors > 0 ? styles.errors : styles.warnings}
          title={words.goToProblem}
          aria-keyshortcuts="F8"
          onClick={onProblem}
        >
          {found} <KeyHint of="F8" />
        </button>
      )}
      <Says editing={editing} />
      {(isChanged || sending.isSending) && (
        <button type="button" className={styles.discard} onClick={discard}>
          {words.discard}
        </button>
      )}
      <button
        type="button"
        className={`button-primary ${styles.save}`}
        aria-keyshortcuts="Control+S Meta+S"
        disabled={mode === "none"}
        onClick={mode === "faulty" ? onProblem : press}
      >
        {text} <KeyHint of="Ctrl S" />
      </button>
    </footer>
  );
}
