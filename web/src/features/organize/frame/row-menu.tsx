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
  /** Entries; a function for those of many rows, which are then listed when the menu opens. */
  items: readonly MenuEntry[] | (() => readonly MenuEntry[]);
  className?: string | undefined;
}

interface ItemsProps extends Pick<RowMenuProps, "label" | "items"> {
  of: OpenMenu;
}

const inOrder = (items: readonly MenuEntry[]) => [
  ...items.filter((one) => !one.isDanger),
  ...items.filter((one) => one.isDanger),
];

function Items({ of, label, items: offered }: ItemsProps) {
  const items = inOrder(typeof offered === "function" ? offered() : offered);
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

export function RowMenu({ label, items, className = "" }: RowMenuProps) {
  const { keys } = useOrganizeMessages().pages;
  useShortcut(".", keys.menu, openAtFocus);
  // A function has no entries yet, but some to list.
  if (typeof items !== "function" && items.length === 0) return null;
  return (
    <MenuOpener
      data-row-menu
      className={`${styles.button} ${className}`}
      aria-label={label}
      menu={(opened) => <Items of={opened} label={label} items={items} />}
    >
      <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
        <circle cx="3" cy="8" r="1.4" />
        <circle cx="8" cy="8" r="1.4" />
        <circle cx="13" cy="8" r="1.4" />
      </svg>
    </MenuOpener>
  );
}
