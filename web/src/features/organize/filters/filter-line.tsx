/**
 * Filters of a list in one line: search, active filters as chips, a menu that adds one, number of
 * results and sort order. Phones have a sheet instead of chips. The address has all values.
 */
import {
  Menu,
  MenuButton,
  MenuItem,
  MenuItemCheck,
  MenuItemRadio,
  MenuProvider,
  Popover,
  usePopoverStore,
} from "@ariakit/react";
import { type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { useOrganizeMessages } from "../../../messages/organize/words";
import { CrossIcon } from "../../../ui/icons/icons";
import { KeyHint, useShortcut } from "../frame/keys";
import menu from "../frame/menu.module.css";
import { MenuOpener, OpenedMenu } from "../frame/menu-opener";
import { MENU_PROPS } from "../frame/menu-props";
import { changeView, useView } from "../frame/view";
import { FilterFields, useTypedParameter } from "./filter-fields";
import styles from "./filter-line.module.css";
import { FilterSheet } from "./filter-sheet";
import {
  clearFilter,
  type Filter,
  type Order,
  parametersOf,
  type Search,
  useValueText,
} from "./filters";

const POPUP = { ...MENU_PROPS, gutter: 4 } as const;

function Choices({ filter, isNested = false }: { filter: Filter; isNested?: boolean }) {
  const view = useView();
  const choose = (value: string) => changeView({ [filter.name]: value }, { replace: true });
  return (
    <Menu {...POPUP} aria-label={filter.label} shift={isNested ? -5 : 0}>
      {Object.entries(filter.words ?? {}).map(([value, text]) => (
        <MenuItemRadio
          key={value}
          name={filter.name}
          value={value}
          checked={view(filter.name) === value}
          hideOnClick
          className={menu.item}
          onClick={() => choose(value)}
        >
          <span>{text}</span>
          <MenuItemCheck />
        </MenuItemRadio>
      ))}
    </Menu>
  );
}

interface ChipProps {
  filter: Filter;
  /** True if the filter was added in this moment, and is still without a value. */
  isNew: boolean;
  onClose: () => void;
}

/** Fields of a text or a period, in a popover at the chip. */
function ChipFields({ filter, isNew, onClose }: ChipProps) {
  const { filters: words } = useOrganizeMessages();
  const text = useValueText()(filter);
  const popover = usePopoverStore({
    defaultOpen: isNew,
    placement: "bottom-start",
    setOpen: (isOpen) => !isOpen && onClose(),
  });
  const button = useRef<HTMLButtonElement>(null);
  const isOpen = popover.useState("open");
  useEffect(() => popover.setAnchorElement(button.current), [popover]);
  return (
    <>
      <button
        ref={button}
        type="button"
        className={styles.value}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onClick={() => popover.setOpen(!isOpen)}
      >
        <Sentence filter={filter} text={text} is={words.is} />
      </button>
      {isOpen && (
        <Popover
          {...POPUP}
          store={popover}
          aria-label={filter.label}
          className={`${menu.menu} ${styles.fields}`}
          finalFocus={button}
        >
          <FilterFields filter={filter} onDone={() => popover.hide()} />
        </Popover>
      )}
    </>
  );
}

function Sentence({ filter, text, is }: { filter: Filter; text: string; is: string }) {
  return (
    <>
      <span className={styles.quiet}>{filter.label}</span>{" "}
      {text && filter.kind !== "period" && <span className={styles.quiet}>{is} </span>}
      {text ? <bdi>{text}</bdi> : "…"}
    </>
  );
}

function Chip({ filter, isNew, onClose }: ChipProps) {
  const { filters: words } = useOrganizeMessages();
  const text = useValueText()(filter);
  const sentence = `${filter.label} ${filter.kind === "period" ? "" : `${words.is} `}${text}`;
  const box = useRef<HTMLDivElement>(null);
  function remove() {
    // The next button of the line takes the focus.
    const line = box.current?.closest(`.${styles.line}`);
    line?.querySelector<HTMLElement>(`.${styles.add}`)?.focus({ preventScroll: true });
    onClose();
    clearFilter(filter);
  }
  function onKeyDown(event: KeyboardEvent) {
    if (event.target instanceof HTMLInputElement) return;
    if (event.key !== "Backspace" && event.key !== "Delete") return;
    event.preventDefault();
    remove();
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Backspace removes the focused chip.
    <div ref={box} className={styles.chip} onKeyDown={onKeyDown}>
      {filter.words ? (
        <MenuProvider placement="bottom-start">
          <MenuButton className={styles.value}>
            <Sentence filter={filter} text={text} is={words.is} />
          </MenuButton>
          <Choices filter={filter} />
        </MenuProvider>
      ) : (
        <ChipFields filter={filter} isNew={isNew} onClose={onClose} />
      )}
      <button
        type="button"
        className={styles.remove}
        aria-label={words.remove(sentence)}
        onClick={remove}
      >
        <CrossIcon />
      </button>
    </div>
  );
}

interface AddProps {
  filters: readonly Filter[];
  onAdd: (filter: Filter) => void;
}

function FilterItems({ filters, onAdd }: AddProps) {
  return filters.map((filter) =>
    filter.words ? (
      <MenuProvider key={filter.name} placement="right-start">
        <MenuButton className={menu.item} render={<MenuItem />}>
          <span>{filter.label}</span>
          <span aria-hidden="true" className={styles.quiet}>
            ›
          </span>
        </MenuButton>
        <Choices filter={filter} isNested />
      </MenuProvider>
    ) : (
      <MenuItem key={filter.name} className={menu.item} onClick={() => onAdd(filter)}>
        {filter.label}…
      </MenuItem>
    ),
  );
}

function AddFilter(props: AddProps) {
  const { add } = useOrganizeMessages().filters;
  const button = useRef<HTMLButtonElement>(null);
  useShortcut("F", add, () => button.current?.click());
  return (
    <MenuOpener
      ref={button}
      className={styles.add}
      aria-keyshortcuts="Shift+F"
      menu={(opened) => (
        <OpenedMenu of={opened} placement="bottom-start" aria-label={add}>
          <FilterItems {...props} />
        </OpenedMenu>
      )}
    >
      <svg viewBox="0 0 16 16" width="12" height="12" aria-hidden="true">
        <path d="M8 2.5v11M2.5 8h11" fill="none" stroke="currentColor" strokeWidth="1.8" />
      </svg>
      {add}
    </MenuOpener>
  );
}

/** Moves the focus from the search to its result: the open panel or the first row. */
function leave(event: KeyboardEvent): void {
  const open = document.querySelector<HTMLElement>(".org-panel h2");
  const found = open ?? document.querySelector<HTMLElement>("[data-row]");
  if (!found) return;
  event.preventDefault();
  found.focus();
}

/** Search field of a list: `f` and `/` focus it, Enter and Esc move to the result. */
function SearchField({ name, label }: Search) {
  const { keys } = useOrganizeMessages().pages;
  const field = useRef<HTMLInputElement>(null);
  const { text, setText, apply } = useTypedParameter(name);
  const focus = () => field.current?.focus();
  useShortcut("f", keys.find, focus);
  useShortcut("/", keys.find, focus);
  return (
    <div className={styles.search}>
      <svg viewBox="0 0 16 16" width="14" height="14" aria-hidden="true">
        <circle cx="7" cy="7" r="4.5" fill="none" stroke="currentColor" strokeWidth="1.6" />
        <path d="M10.5 10.5L14 14" stroke="currentColor" strokeWidth="1.6" />
      </svg>
      <input
        ref={field}
        type="search"
        aria-label={label}
        aria-keyshortcuts="f /"
        placeholder={label}
        value={text}
        autoComplete="off"
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => {
          // During composition, Enter and Esc belong to the input method.
          if (event.nativeEvent.isComposing) return;
          if (event.key !== "Enter" && event.key !== "Escape") return;
          apply();
          leave(event);
        }}
      />
      {text === "" && <KeyHint of="f" />}
    </div>
  );
}

function OrderSelect({ label, words }: Order) {
  const view = useView();
  const id = useId();
  const [first, ...others] = Object.entries(words);
  return (
    <div className={styles.order}>
      <label htmlFor={id}>{label}</label>
      <select
        id={id}
        value={view("order")}
        onChange={(event) => changeView({ order: event.currentTarget.value }, { replace: true })}
      >
        {first && <option value="">{first[1]}</option>}
        {others.map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </div>
  );
}

export interface FilterLineProps {
  search?: Search | undefined;
  filters: readonly Filter[];
  order?: Order | undefined;
  /** Number of results, such as "12 of 40". */
  count?: string | undefined;
}

export function FilterLine({ search, filters, order, count = "" }: FilterLineProps) {
  const { filters: words } = useOrganizeMessages();
  const view = useView();
  const [added, setAdded] = useState<string | null>(null);
  const isSet = (filter: Filter) => parametersOf(filter).some((name) => view(name) !== "");
  const chips = filters.filter((filter) => isSet(filter) || filter.name === added);
  const others = filters.filter((filter) => !chips.includes(filter));
  return (
    // biome-ignore lint/a11y/useSemanticElements: not all supported browsers know `search`.
    <div role="search" aria-label={words.line} className={styles.line}>
      {search && <SearchField {...search} />}
      {chips.map((filter) => (
        <Chip
          key={filter.name}
          filter={filter}
          isNew={filter.name === added}
          onClose={() => setAdded(null)}
        />
      ))}
      {others.length > 0 && <AddFilter filters={others} onAdd={({ name }) => setAdded(name)} />}
      {(filters.length > 0 || order) && (
        <FilterSheet filters={filters} order={order} count={count} set={filters.filter(isSet)} />
      )}
      <span role="status" className={styles.count}>
        {count}
      </span>
      {order && <OrderSelect {...order} />}
    </div>
  );
}
