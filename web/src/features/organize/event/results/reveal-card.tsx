/** State of the reveal, the ceremony that shows it, and the button that skips the ceremony. */
import type { Overview } from "../../../../api/organize-lists";
import { useOrganizeMessages } from "../../../../messages/organize/words";
import { ActionButtons } from "../../change/action-buttons";
import { useMay } from "../../frame/queries";
import { useEventTimeText } from "../../time-field";
import { revealAction } from "../actions";
import styles from "../event.module.css";

const CEREMONY = "/organize/ceremony";

/** Renders nothing without a freeze. */
export function Reveal({ overview }: { overview: Overview }) {
  const { results: words } = useOrganizeMessages().manage;
  const text = useEventTimeText();
  const may = useMay();
  const { freeze, isFrozen, isRevealed, name } = overview;
  if (!freeze && !isFrozen) return null;
  const note = isRevealed
    ? words.revealNote.done
    : isFrozen
      ? words.revealNote.frozen
      : words.revealNote.later(text(freeze ?? 0));
  return (
    <section className={isFrozen ? `${styles.wide} ${styles.frozen}` : styles.wide}>
      <div>
        <h2>{words.reveal}</h2>
        <p className="org-note">{note}</p>
      </div>
      {isFrozen && <ActionButtons name={name} actions={[revealAction(overview)]} />}
      {!isRevealed && may("event.reveal") && (
        <a href={CEREMONY} className={isFrozen ? "button button-primary" : "button"}>
          {isFrozen ? words.ceremony : words.rehearse}
        </a>
      )}
    </section>
  );
}
