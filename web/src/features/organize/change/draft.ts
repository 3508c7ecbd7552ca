/** Draft of an action dialog, kept until the action is done: fields, reason and notice. */
import { useDraft as useDraftOf } from "../../../api/drafts";
import type { Values } from "./order";

const NO_NOTICE = { isOn: false, title: "", text: "", urgent: false };

/**
 * Draft of an action dialog. It survives closing, reloads and network errors. `initial` has the
 * values of unedited fields, and can change while the dialog is open.
 */
export function useDraft(key: string, initial: { values: Values; reason: string }) {
  const fields = useDraftOf("organize", key, initial.values);
  const more = useDraftOf("organize", `${key} more`, { reason: initial.reason, ...NO_NOTICE });
  return {
    values: fields.values,
    /** Reason and notice fields. */
    more: more.values,
    setMore: more.set,
    set(changes: Values) {
      for (const [name, value] of Object.entries(changes)) fields.set(name, value);
    },
    /** Current value of an edited field that someone else changed; undefined if unchanged. */
    changedTo: (name: string): string | true | undefined =>
      fields.both.includes(name) ? (fields.base[name] ?? "") : undefined,
    /** Discards the draft after the action is done. */
    forget() {
      fields.discard();
      more.discard();
    },
  };
}

export type SheetDraft = ReturnType<typeof useDraft>;
