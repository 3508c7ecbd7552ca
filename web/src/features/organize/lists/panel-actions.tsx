/** Actions of one object: a few as buttons, the others in a menu. Keys work for all of them. */
import { type ReactNode, useEffect } from "react";
import { useOrganizeMessages, wordFor } from "../../../messages/organize/words";
import type { Action } from "../change/action-buttons";
import { useActionDialog } from "../change/action-dialog";
import { KeyHint, useShortcut } from "../frame/keys";
import { useMay } from "../frame/queries";
import { type MenuEntry, RowMenu } from "../frame/row-menu";
import styles from "./panel-parts.module.css";

/** Actions that take something from players or teams. */
const TAKES: ReadonlySet<string> = new Set([
  ...["challenge.close", "challenge.hide", "solve.withdraw"],
  ...["team.ban", "team.end_sessions", "team.hide"],
]);

/** Returns the permitted actions as menu entries. */
export function useMenuEntries(): (actions: readonly Action[]) => readonly MenuEntry[] {
  const { sheet } = useOrganizeMessages().pages;
  const { ask } = useActionDialog();
  const may = useMay();
  return (actions) =>
    actions
      .filter(({ action }) => may(action))
      .map(({ key, ...order }) => ({
        text: wordFor(sheet.actions, order.action),
        shortcut: key,
        isDanger: TAKES.has(order.action),
        onPress: () => ask(order),
      }));
}

/** Actions that are due when they are offered first, and so are shown as the main one. */
const DUE: ReadonlySet<string> = new Set(["challenge.release", "team.admit", "team.confirm"]);

const classOf = (action: string, at: number) => {
  if (at > 0) return styles.quiet;
  return DUE.has(action) ? styles.next : styles.main;
};

/** Key of an action, and its latest data for an open dialog. */
function ActionKey({ order: { key, ...asked } }: { order: Action }) {
  const { sheet } = useOrganizeMessages().pages;
  const { ask, renew } = useActionDialog();
  useEffect(() => renew(asked));
  const text = wordFor(sheet.actions, asked.action);
  useShortcut(key ?? text, text, key ? () => ask(asked) : undefined);
  return null;
}

interface PanelActionsProps {
  name: string;
  actions: readonly Action[];
  /** Number of actions shown as buttons; the first is the main one. */
  shown?: number;
  /** Entries of the menu after the actions. */
  after?: readonly MenuEntry[];
  /** Other buttons. */
  children?: ReactNode;
}

export function PanelActions(props: PanelActionsProps) {
  const { name, actions, shown = 3, after = [], children } = props;
  const { pages, lists } = useOrganizeMessages();
  const { ask } = useActionDialog();
  const may = useMay();
  const entriesOf = useMenuEntries();
  const allowed = actions.filter(({ action }) => may(action));
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for form fields.
    <div role="group" aria-label={pages.list.actions(name)} className={styles.actions}>
      {allowed.map((order) => (
        <ActionKey key={order.action} order={order} />
      ))}
      {allowed.slice(0, shown).map(({ key, ...order }, at) => (
        <button
          key={order.action}
          type="button"
          className={classOf(order.action, at)}
          aria-keyshortcuts={key}
          onClick={() => ask(order)}
        >
          {wordFor(pages.sheet.actions, order.action)}
          {key && <KeyHint of={key} />}
        </button>
      ))}
      {children}
      <RowMenu
        label={lists.moreActions(name)}
        items={[...entriesOf(allowed.slice(shown)), ...after]}
        className={styles.menu}
      />
    </div>
  );
}
