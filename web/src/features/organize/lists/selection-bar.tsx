/** Parts of a list with selectable rows: the checkboxes, and the bar with what to do. */
import type { ReactNode } from "react";
import { useOrganizeMessages } from "../../../messages/organize/words";
import { CrossIcon } from "../../../ui/icons/icons";
import { useActionDialog } from "../change/action-dialog";
import type { ActionOrder } from "../change/order";
import { KeyHint, useShortcut } from "../frame/keys";
import { useMay } from "../frame/queries";
import { CHECK_CELL, type Column } from "../frame/table";
import { CHOSEN_MAX, type Selection } from "./selection";
import styles from "./selection-bar.module.css";

interface CheckProps {
  label: string;
  state: "all" | "some" | "none";
  onChange: (isRange: boolean) => void;
}

function Check({ label, state, onChange }: CheckProps) {
  return (
    <label>
      <input
        type="checkbox"
        aria-label={label}
        checked={state === "all"}
        ref={(input) => {
          if (input) input.indeterminate = state === "some";
        }}
        onChange={({ nativeEvent }) =>
          onChange(nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)
        }
      />
    </label>
  );
}

interface CheckColumnProps<T> {
  selection: Selection;
  /** Names of all loaded rows. */
  rows: readonly string[];
  nameOf: (row: T) => string;
  labelOf: (row: T) => string;
  allLabel: string;
}

/** Column of checkboxes; the one in the head is for all loaded rows. */
export function checkColumn<T>(props: CheckColumnProps<T>): Column<T> {
  const { selection, rows, nameOf, labelOf, allLabel } = props;
  const left = rows.filter((name) => !selection.has(name)).length;
  const some = left < rows.length ? "some" : "none";
  const state = left === 0 && rows.length > 0 ? "all" : some;
  return {
    className: CHECK_CELL,
    head: (
      <Check
        label={allLabel}
        state={state}
        onChange={() => (state === "all" ? selection.clear() : selection.choose(rows))}
      />
    ),
    cell: (row) => (
      <Check
        label={labelOf(row)}
        state={selection.has(nameOf(row)) ? "all" : "none"}
        onChange={(isRange) => selection.toggle(nameOf(row), isRange)}
      />
    ),
  };
}

export interface BulkAction {
  readonly text: string;
  /** Capital letters are pressed with Shift. */
  readonly shortcut: string;
  readonly order: ActionOrder;
  readonly isDanger?: boolean;
}

function BulkButton({ action, isMain }: { action: BulkAction; isMain: boolean }) {
  const { ask } = useActionDialog();
  const { text, shortcut, order, isDanger } = action;
  const run = () => ask(order);
  useShortcut(shortcut, text, run);
  const isShift = shortcut !== shortcut.toLowerCase();
  return (
    <button
      type="button"
      className={isMain ? styles.main : styles.quiet}
      data-danger={isDanger || undefined}
      aria-keyshortcuts={isShift ? `Shift+${shortcut}` : shortcut}
      onClick={run}
    >
      {text} <KeyHint of={isShift ? `⇧${shortcut}` : shortcut} />
    </button>
  );
}

interface BarProps {
  selection: Selection;
  actions: readonly BulkAction[];
  /** Number of rows that match the filter. */
  total: number;
  onAll: () => void;
  /** Other buttons. */
  children?: ReactNode;
}

/** Bar at the foot of a list while rows are selected. */
export function SelectionBar({ selection, actions, total, onAll, children }: BarProps) {
  const { lists: words } = useOrganizeMessages();
  const may = useMay();
  const { names, clear } = selection;
  const count = names.length;
  const most = Math.min(total, CHOSEN_MAX);
  const allowed = actions.filter(({ order }) => may(order.action));
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for form fields.
    <div role="group" aria-label={words.selection} className={styles.bar} hidden={count === 0}>
      <strong role="status" className={styles.count}>
        {count > 0 && words.chosen(count)}
      </strong>
      {count > 0 && (
        <>
          {allowed.map((action, at) => (
            <BulkButton key={action.order.action} action={action} isMain={at === 0} />
          ))}
          {children}
          {count < most && (
            <button type="button" className={styles.quiet} onClick={onAll}>
              {total > CHOSEN_MAX ? words.chooseMost(most) : words.chooseMatching(total)}
            </button>
          )}
          <button
            type="button"
            className={styles.clear}
            aria-label={words.clear}
            aria-keyshortcuts="Escape"
            onClick={clear}
          >
            <CrossIcon />
          </button>
        </>
      )}
    </div>
  );
}
