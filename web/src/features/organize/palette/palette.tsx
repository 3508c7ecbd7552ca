/**
 * Command palette: searches pages, tabs, settings, teams, challenges and actions. The dialog and
 * its field are there at once, so that no typed letter is lost; the results follow.
 */
import { type KeyboardEvent, useEffect, useId, useLayoutEffect, useRef, useState } from "react";
import { useOrganizeMessages } from "../../../messages/organize/words";
import dialog from "../../../ui/dialog/dialog.module.css";
import { CrossIcon } from "../../../ui/icons/icons";
import { PageIcon, SearchIcon } from "../bar/icons";
import { useLetterKeys } from "../frame/keys";
import { type Group, type Item, useItems } from "./items";
import styles from "./palette.module.css";
import { recentOf, remember } from "./recent";

interface ListProps {
  id: string;
  groups: readonly Group[];
  /** The marked item. */
  marked: Item | undefined;
  onMark: (item: Item) => void;
  onRun: (item: Item) => void;
}

const optionId = (list: string, { key }: Item) => `${list}-${key}`;

function Option({ id, item, marked, onMark, onRun }: Omit<ListProps, "groups"> & { item: Item }) {
  const option = useRef<HTMLDivElement>(null);
  const isMarked = item.key === marked?.key;
  const hasKeys = useLetterKeys();
  useEffect(() => {
    if (isMarked) option.current?.scrollIntoView?.({ block: "nearest" });
  }, [isMarked]);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles the keys.
    // biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus.
    <div
      ref={option}
      id={optionId(id, item)}
      role="option"
      aria-selected={isMarked}
      className={styles.option}
      onMouseMove={() => onMark(item)}
      onClick={() => onRun(item)}
    >
      <PageIcon of={item.page} />
      <bdi className="ellipsis">{item.text}</bdi>{" "}
      {item.kind && <span className={styles.kind}>{item.kind}</span>}
      {item.shortcut && hasKeys && (
        <span aria-hidden="true" className={styles.key}>
          {item.shortcut}
        </span>
      )}
    </div>
  );
}

function List({ groups, ...rest }: ListProps) {
  const { palette: words } = useOrganizeMessages().pages;
  return (
    <div id={rest.id} role="listbox" aria-label={words.title} className={styles.list}>
      {groups.map(({ title, items }) => (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset is for form fields.
        <div key={title} role="group" aria-label={title || words.title}>
          {title && (
            <div aria-hidden="true" className={styles.title}>
              {title}
            </div>
          )}
          {items.map((item) => (
            <Option key={item.key} item={item} {...rest} />
          ))}
        </div>
      ))}
    </div>
  );
}

/** State of the palette: what is typed, its results, and the marked one. */
function useChoice(onRun: (item: Item) => void, onKeys: () => void) {
  const [query, setQuery] = useState("");
  const [markedKey, mark] = useState<string | null>(null);
  const [isEntered, setEntered] = useState(false);
  const [recent] = useState(() => recentOf);
  const { groups, isLooking } = useItems(query, recent, onKeys);
  const items = groups.flatMap((group) => group.items);
  const at = Math.max(
    0,
    items.findIndex(({ key }) => key === markedKey),
  );
  const marked = items[at];
  // Enter during the search runs its first result.
  useEffect(() => {
    if (isEntered && marked) onRun(marked);
  });
  const search = (text: string) => {
    setQuery(text);
    mark(null);
    setEntered(false);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) mark(items[(at + step + items.length) % Math.max(1, items.length)]?.key ?? null);
    else if (event.key === "Enter" && marked) onRun(marked);
    else if (event.key === "Enter") setEntered(isLooking);
    else return;
    event.preventDefault();
  };
  return { query, search, groups, isLooking, marked, mark, onKeyDown };
}

interface PaletteProps {
  onClose: () => void;
  /** Opens the list of shortcuts. */
  onKeys: () => void;
}

export function Palette({ onClose, onKeys }: PaletteProps) {
  const { pages, frame } = useOrganizeMessages();
  const { palette: words, list: listWords } = pages;
  const box = useRef<HTMLDialogElement>(null);
  const field = useRef<HTMLInputElement>(null);
  const list = useId();
  const run = (item: Item) => {
    remember(item);
    onClose();
    item.run();
  };
  const { query, search, groups, isLooking, marked, mark, onKeyDown } = useChoice(run, onKeys);
  useLayoutEffect(() => {
    const dialog = box.current;
    if (dialog && !dialog.open) dialog.showModal();
    field.current?.focus();
    return () => dialog?.close();
  }, []);
  const nothing = isLooking ? listWords.loading : `${words.none}. ${frame.palette.hint}`;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the browser closes it on Esc.
    <dialog
      ref={box}
      aria-label={words.title}
      className={`${dialog.box} ${styles.palette}`}
      // Browsers close a dialog without `cancel` if Esc is pressed again soon.
      onClose={() => box.current?.open || onClose()}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={(event) => {
        if (event.target === box.current) onClose();
      }}
    >
      <div className={styles.field}>
        <SearchIcon />
        <input
          ref={field}
          type="text"
          role="combobox"
          aria-label={words.field}
          aria-expanded={marked !== undefined}
          aria-controls={list}
          aria-autocomplete="list"
          aria-activedescendant={marked && optionId(list, marked)}
          placeholder={words.field}
          autoComplete="off"
          spellCheck={false}
          value={query}
          onChange={(event) => search(event.currentTarget.value)}
          onKeyDown={onKeyDown}
        />
        <button type="button" aria-label={listWords.close} onClick={onClose}>
          <CrossIcon />
        </button>
      </div>
      <div role="status" className={styles.status}>
        {!marked && <p>{nothing}</p>}
      </div>
      <List id={list} groups={groups} marked={marked} onMark={({ key }) => mark(key)} onRun={run} />
    </dialog>
  );
}
