/** Draft of a sheet, kept until the action is done: its fields, its reason, its notice. */
import { useDraft as useDraftOf } from "../../../api/drafts";
import type { Values } from "./order";

const NO_NOTICE = { isOn: false, title: "", text: "", urgent: false };

/**
 * The draft of a sheet, which outlives the sheet, a reload, and a lost network. `initial` is what
 * the fields are without it, which may change while the sheet is open.
 */
export function useDraft(key: string, initial: { values: Values; reason: string }) {
  const fields = useDraftOf("organize", key, initial.values);
  const more = useDraftOf("organize", `${key} more`, { reason: initial.reason, ...NO_NOTICE });
  return {
    values: fields.values,
    /** The reason, and the parts of the notice. */
    more: more.values,
    setMore: more.set,
    set(changes: Values) {
      for (const [name, value] of Object.entries(changes)) fields.set(name, value);
    },
    /** What a field that was typed into became meanwhile; undefined if it is as it was. */
    became: (name: string): string | true | undefined =>
      fields.both.includes(name) ? (fields.base[name] ?? "") : undefined,
    /** The action is done: nothing is kept. */
    forget() {
      fields.discard();
      more.discard();
    },
  };
}

export type SheetDraft = ReturnType<typeof useDraft>;
