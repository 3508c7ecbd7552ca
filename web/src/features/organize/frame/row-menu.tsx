/**
 * Menu of a row: a quiet button, and a list of actions. `.` opens the menu of the focused row.
 */
import { MenuItem } from "@ariakit/react";
import type { KeyboardEvent } from "react";
import { flushSync } from "react-dom";
import { useOrganizeMessages } from "../../../messages/organize/words";
import { KeyHint, useLetterKeys, useShortcut } from "./keys";
import menu from "./menu.module.css";
import { MenuOpener, OpenedMenu, type OpenMenu } from "./menu-opener";
import styles from "./row-menu.module.css";

export interface MenuEntry {
  readonly text: string;
  /** Key that chooses the entry while the menu is open. */
  readonly shortcut?: string | undefined;
  /** True for actions that take something from players. Such entries are last. */
  readonly isDanger?: boolean;
  readonly onPress: () => void;
}

interface RowMenuProps {
  /** Accessible name, such as "Actions for Otters". */
  label: string;
  items: readonly MenuEntry[];
  className?: string | undefined;
}

interface ItemsProps {
  of: OpenMenu;
  label: string;
  items: readonly MenuEntry[];
}

function Items({ of, label, items }: ItemsProps) {
  const hasKeys = useLetterKeys();
  function press({ onPress }: MenuEntry) {
    // An action that opens a dialog returns the focus to the button of the menu.
    flushSync(of.onClose);
    onPress();
  }
  function onKeyDown(event: KeyboardEvent) {
    const isPlain = !(event.ctrlKey || event.metaKey || event.altKey);
    const found = hasKeys && isPlain && items.find(({ shortcut }) => shortcut === event.key);
    // Keys of an open menu are not shortcuts of the page.
    event.stopPropagation();
    if (!found) return;
    event.preventDefault();
    press(found);
  }
  return (
    <OpenedMenu of={of} placement="bottom-end" aria-label={label} onKeyDown={onKeyDown}>
      {items.map((entry) => (
        <MenuItem
          key={entry.text}
          className={`${menu.item} ${entry.isDanger ? styles.danger : styles.entry}`}
          aria-keyshortcuts={hasKeys ? entry.shortcut : undefined}
          hideOnClick={false}
          onClick={() => press(entry)}
        >
          <span>{entry.text}</span>
          {entry.shortcut && hasKeys && <KeyHint of={entry.shortcut} />}
        </MenuItem>
      ))}
    </OpenedMenu>
  );
}

/** Opens the menu of the focused row, or of the panel that has the focus. */
function openAtFocus(): void {
  const place = document.activeElement?.closest("tr, li, [data-menu-place], .org-panel");
  place?.querySelector<HTMLElement>("[data-row-menu]")?.click();
}

const inOrder = (items: readonly MenuEntry[]) => [
  ...items.filter((one) => !one.isDanger),
  ...items.filter((one) => one.isDanger),
];

export function RowMenu({ label, items, className = "" }: RowMenuProps) {
  const { keys } = useOrganizeMessages().pages;
  useShortcut(".", keys.menu, openAtFocus);
  if (items.length === 0) return null;
  return (
    <MenuOpener
      data-row-menu
      className={`${styles.button} ${className}`}
      aria-label={label}
      menu={(opened) => <Items of={opened} label={label} items={inOrder(items)} />}
    >
      <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
        <path d="M1.6 8a1.4 1.4 0 1 1 2.8 0 1.4 1.4 0 0 1-2.8 0zM6.6 8a1.4 1.4 0 1 1 2.8 0 1.4 1.4 0 0 1-2.8 0zM11.6 8a1.4 1.4 0 1 1 2.8 0 1.4 1.4 0 0 1-2.8 0z" />
      </svg>
    </MenuOpener>
  );
}
