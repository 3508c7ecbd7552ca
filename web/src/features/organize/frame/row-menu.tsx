/**
 * Menu of a row: a quiet button, and a list of actions. `.` opens the menu of the focused row. The
 * list is created when it opens, because a page has many rows.
 */
import { Menu, MenuItem, useMenuStore } from "@ariakit/react";
import { type KeyboardEvent, useId, useLayoutEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { useOrganizeMessages } from "../../../messages/organize/words";
import { KeyHint, useLetterKeys, useShortcut } from "./keys";
import menu from "./menu.module.css";
import { MENU_PROPS } from "./menu-props";
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

interface ItemsProps extends RowMenuProps {
  id: string;
  anchor: HTMLElement;
  onClose: () => void;
}

function Items({ id, anchor, label, items, onClose }: ItemsProps) {
  const store = useMenuStore({
    open: true,
    setOpen: (isOpen) => !isOpen && onClose(),
    placement: "bottom-end",
  });
  useLayoutEffect(() => {
    store.setAnchorElement(anchor);
    store.setDisclosureElement(anchor);
    store.setInitialFocus("first");
    store.setAutoFocusOnShow(true);
  }, [store, anchor]);
  const hasKeys = useLetterKeys();
  function press({ onPress }: MenuEntry) {
    // An action that opens a dialog returns the focus to the button of the menu.
    flushSync(onClose);
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
    <Menu id={id} store={store} aria-label={label} gutter={4} {...MENU_PROPS} onKeyDown={onKeyDown}>
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
    </Menu>
  );
}

/** Opens the menu of the focused row, or of the panel that has the focus. */
function openAtFocus(): void {
  const place = document.activeElement?.closest("tr, li, [data-menu-place], .org-panel");
  place?.querySelector<HTMLElement>("[data-row-menu]")?.click();
}

export function RowMenu({ label, items, className = "" }: RowMenuProps) {
  const { keys } = useOrganizeMessages().pages;
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  useShortcut(".", keys.menu, openAtFocus);
  if (items.length === 0) return null;
  function close() {
    const focus = document.activeElement;
    setOpen(false);
    if (focus === document.body || focus?.closest(`[role="menu"]`)) {
      button.current?.focus({ preventScroll: true });
    }
  }
  const sorted = [...items.filter((one) => !one.isDanger), ...items.filter((one) => one.isDanger)];
  return (
    <>
      <button
        ref={button}
        type="button"
        data-row-menu
        className={`${styles.button} ${className}`}
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={() => setOpen(!isOpen)}
        onKeyDown={(event) => {
          if (event.key !== "ArrowDown") return;
          event.preventDefault();
          setOpen(true);
        }}
      >
        <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
          <circle cx="3" cy="8" r="1.4" />
          <circle cx="8" cy="8" r="1.4" />
          <circle cx="13" cy="8" r="1.4" />
        </svg>
      </button>
      {isOpen && button.current && (
        <Items id={id} anchor={button.current} label={label} items={sorted} onClose={close} />
      )}
    </>
  );
}
