/** The button that asks to take an action back. */
import type { Entry } from "../../../api/organize-lists";
import { useOrganizeMessages } from "../../../messages/organize/words";
import { useAsk } from "../change/acting";

export function UndoButton({ entry }: { entry: Entry }) {
  const { sheet } = useOrganizeMessages().pages;
  const ask = useAsk();
  const { id, sentence } = entry;
  return (
    <button
      type="button"
      className="org-small"
      aria-label={sheet.undoOf(sentence)}
      onClick={() => ask({ kind: "undo", id, sentence })}
    >
      {sheet.undo}
    </button>
  );
}
