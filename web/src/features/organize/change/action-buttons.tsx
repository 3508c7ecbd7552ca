/** The actions that a role may do on an object, each a button that opens its sheet. */
import { useEffect } from "react";
import { useOrganizeMessages, wordFor } from "../../../messages/organize/words";
import { KeyHint, useShortcut } from "../frame/keys";
import { useMay } from "../frame/reading";
import { useAsk, useRenew } from "./acting";
import type { ActionOrder } from "./order";

export type Action = ActionOrder & {
  /** The key of one letter that does the same. */
  readonly key?: string;
};

/** An action, if it is offered. */
export const only = (isOffered: boolean, action: Action): readonly Action[] =>
  isOffered ? [action] : [];

function ActionButton({ order }: { order: Action }) {
  const { sheet } = useOrganizeMessages().pages;
  const ask = useAsk();
  const renew = useRenew();
  const { key, ...asked } = order;
  // The sheet that is open is told of what the list shows now.
  useEffect(() => renew(asked));
  const text = wordFor(sheet.actions, order.action);
  useShortcut(key ?? `action ${order.action}`, text, key ? () => ask(asked) : undefined);
  return (
    <button type="button" className="org-small" aria-keyshortcuts={key} onClick={() => ask(asked)}>
      {text}
      {key && <KeyHint of={key} />}
    </button>
  );
}

export function ActionButtons({ name, actions }: { name: string; actions: readonly Action[] }) {
  const { list } = useOrganizeMessages().pages;
  const may = useMay();
  const allowed = actions.filter(({ action }) => may(action));
  if (allowed.length === 0) return null;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields.
    <div role="group" aria-label={list.actions(name)} className="org-actions">
      {allowed.map((order) => (
        <ActionButton key={order.action} order={order} />
      ))}
    </div>
  );
}
