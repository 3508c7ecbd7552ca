/** Permitted actions on an object, as buttons that open the action dialog. */
import { useEffect } from "react";
import { useOrganizeMessages, wordFor } from "../../../messages/organize/words";
import { KeyHint, useShortcut } from "../frame/keys";
import { useMay } from "../frame/queries";
import { useActionDialog } from "./action-dialog";
import type { ActionOrder, Order } from "./order";

export type Action = ActionOrder & {
  /** Single-key shortcut. */
  readonly key?: string;
};

/** Returns a list with the action if it is offered, else an empty list. */
export const only = (isOffered: boolean, action: Action): readonly Action[] =>
  isOffered ? [action] : [];

export function AskButton({ order, text, label }: { order: Order; text: string; label?: string }) {
  const { ask } = useActionDialog();
  return (
    <button type="button" className="org-small" aria-label={label} onClick={() => ask(order)}>
      {text}
    </button>
  );
}

export function UndoButton({ id, sentence }: { id: number; sentence: string }) {
  const { sheet } = useOrganizeMessages().pages;
  const order = { action: "undo", id, sentence } as const;
  return <AskButton order={order} text={sheet.undo} label={sheet.undoOf(sentence)} />;
}

interface KeyButtonProps {
  text: string;
  shortcut: string | undefined;
  onPress: () => void;
}

export function KeyButton({ text, shortcut, onPress }: KeyButtonProps) {
  useShortcut(shortcut ?? text, text, shortcut ? onPress : undefined);
  return (
    <button type="button" className="org-small" aria-keyshortcuts={shortcut} onClick={onPress}>
      {text}
      {shortcut && <KeyHint of={shortcut} />}
    </button>
  );
}

function ActionButton({ order: { key, ...asked } }: { order: Action }) {
  const { sheet } = useOrganizeMessages().pages;
  const { ask, renew } = useActionDialog();
  // Keeps the open dialog up to date with the list.
  useEffect(() => renew(asked));
  const text = wordFor(sheet.actions, asked.action);
  return <KeyButton text={text} shortcut={key} onPress={() => ask(asked)} />;
}

export function ActionButtons({ name, actions }: { name: string; actions: readonly Action[] }) {
  const { list } = useOrganizeMessages().pages;
  const may = useMay();
  const allowed = actions.filter(({ action }) => may(action));
  if (allowed.length === 0) return null;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for form fields.
    <div role="group" aria-label={list.actions(name)} className="org-actions">
      {allowed.map((order) => (
        <ActionButton key={order.action} order={order} />
      ))}
    </div>
  );
}
