/** The acts that a role may do on an object, each a button that opens its sheet. */
import { useEffect } from "react";
import { useOrganizeMessages, wordFor } from "../../../messages/organize/words";
import { KeyHint, useShortcut } from "../frame/keys";
import { useMay } from "../frame/reading";
import { useAsk, useRenew } from "./acting";
import type { Order } from "./order";

export type Act = Extract<Order, { kind: "act" }> & {
  /** The key of one letter that does the same. */
  readonly key?: string;
};

function ActButton({ order }: { order: Act }) {
  const { sheet } = useOrganizeMessages().pages;
  const ask = useAsk();
  const renew = useRenew();
  const { key, ...asked } = order;
  // The sheet that is open is told of what the list shows now.
  useEffect(() => renew(asked));
  const text = wordFor(sheet.acts, order.act);
  useShortcut(key ?? `act ${order.act}`, text, key ? () => ask(asked) : undefined);
  return (
    <button type="button" className="org-small" aria-keyshortcuts={key} onClick={() => ask(asked)}>
      {text}
      {key && <KeyHint of={key} />}
    </button>
  );
}

export function ActButtons({ name, acts }: { name: string; acts: readonly Act[] }) {
  const { list } = useOrganizeMessages().pages;
  const may = useMay();
  const allowed = acts.filter(({ act }) => may(act));
  if (allowed.length === 0) return null;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields.
    <div role="group" aria-label={list.actions(name)} className="org-acts">
      {allowed.map((order) => (
        <ActButton key={order.act} order={order} />
      ))}
    </div>
  );
}
