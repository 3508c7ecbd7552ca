/** The parts of a list: search, filters, more rows, and the panel of the row that is open. */
import {
  type ComponentProps,
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useId,
  useRef,
  useState,
} from "react";
import { useOrganizeMessages } from "../../../messages/organize/words";
import { CrossIcon } from "../../../ui/icons/icons";
import { optionsOf, Select } from "../change/fields";
import { Read } from "../refused";
import { LooksHere, useLook } from "./channel";
import { useRowKeys, useShortcut } from "./keys";
import { type Changes, changeView, useView, ViewLink } from "./view";

/** A search runs once the field has been still for this long. */
const STILL_MS = 250;

interface TextFilterProps {
  name: string;
  label: string;
  placeholder?: string;
  type?: "text" | "search" | "datetime-local";
}

export function TextFilter({ name, label, placeholder, type = "text" }: TextFilterProps) {
  const id = useId();
  const inAddress = useView()(name);
  const [text, setText] = useState(inAddress);
  const [known, setKnown] = useState(inAddress);
  // A link or Back has changed the address.
  if (inAddress !== known) {
    setKnown(inAddress);
    setText(inAddress);
  }
  useEffect(() => {
    if (text === inAddress) return;
    const timer = setTimeout(() => changeView({ [name]: text }, { replace: true }), STILL_MS);
    return () => clearTimeout(timer);
  }, [text, inAddress, name]);
  return (
    <div className="org-filter">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        type={type}
        value={text}
        placeholder={placeholder}
        autoComplete="off"
        onChange={(event) => setText(event.currentTarget.value)}
      />
    </div>
  );
}

/** From the search to what it has found: the panel that is open, or the first row. */
function leave(event: KeyboardEvent) {
  // Enter and Esc are the input method's while a word is composed.
  if (event.nativeEvent.isComposing) return;
  if (event.key !== "Enter" && event.key !== "Escape") return;
  const open = document.querySelector<HTMLElement>(".org-panel h2");
  const found = open ?? document.querySelector<HTMLElement>("[data-row]");
  if (!found) return;
  event.preventDefault();
  found.focus();
}

/** The search of a list: `f` and `/` lead to it, Enter and Esc to what it has found. */
export function SearchFilter(props: TextFilterProps) {
  const { keys } = useOrganizeMessages().pages;
  const box = useRef<HTMLDivElement>(null);
  const focus = () => box.current?.querySelector("input")?.focus();
  useShortcut("f", keys.find, focus);
  useShortcut("/", keys.find, focus);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: its field has the keys.
    <div ref={box} className="org-search" onKeyDown={leave}>
      <TextFilter {...props} type="search" />
    </div>
  );
}

interface ChoiceFilterProps {
  name: string;
  label: string;
  words: Readonly<Record<string, string>>;
  /** Without it, the empty value is the word for all. */
  isOrder?: boolean;
}

export function ChoiceFilter({ name, label, words, isOrder = false }: ChoiceFilterProps) {
  const { list } = useOrganizeMessages().pages;
  const options = optionsOf(words);
  const [first, ...others] = options;
  return (
    <Select
      className="org-filter"
      label={label}
      value={useView()(name)}
      options={isOrder && first ? [["", first[1]], ...others] : [["", list.all], ...options]}
      onChange={(value) => changeView({ [name]: value }, { replace: true })}
    />
  );
}

export function ListState<T>(props: Pick<ComponentProps<typeof Read<T>>, "of" | "children">) {
  return <Read label={useOrganizeMessages().pages.list.loading} {...props} />;
}

export interface MoreProps {
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  fetchNextPage(): unknown;
}

export function More({ hasNextPage, isFetchingNextPage, fetchNextPage }: MoreProps) {
  const { list } = useOrganizeMessages().pages;
  if (!hasNextPage) return null;
  return (
    <button
      type="button"
      aria-disabled={isFetchingNextPage}
      onClick={() => isFetchingNextPage || void fetchNextPage()}
    >
      {list.more}
    </button>
  );
}

interface TabsProps {
  label: string;
  tabs: readonly { readonly name: string; readonly text: string; readonly changes: Changes }[];
  open: string;
}

export function Tabs({ label, tabs, open }: TabsProps) {
  return (
    <nav aria-label={label} className="org-links org-tabs">
      {tabs.map(({ name, text, changes }) => (
        <ViewLink key={name} changes={changes} aria-current={name === open ? "page" : undefined}>
          <bdi>{text}</bdi>
        </ViewLink>
      ))}
    </nav>
  );
}

interface PageProps {
  title: string;
  tabs?: ReactNode;
  filters?: ReactNode;
  panel?: ReactNode;
  children: ReactNode;
}

/** A list with its filters, and a panel over it (from below on a narrow screen). */
export function ListPage({ title, tabs, filters, panel, children }: PageProps) {
  const { keys } = useOrganizeMessages().pages;
  useRowKeys(keys);
  return (
    <>
      <div className="org-bar">
        <h1>{title}</h1>
        {tabs}
        {filters && <div className="org-filters">{filters}</div>}
      </div>
      <div className={panel ? "org-split org-open" : "org-split"}>
        <div className="org-list">{children}</div>
        {panel}
      </div>
    </>
  );
}

interface PanelProps {
  title: string;
  /** The parameters that open it. */
  names: readonly string[];
  /** What the others are told that is looked at here, such as `team Otters`. */
  object: string;
  children: ReactNode;
}

/** What is open of a list. Esc closes it, and the row has the focus again. */
export function Panel({ title, names, object, children }: PanelProps) {
  const { list, keys } = useOrganizeMessages().pages;
  const heading = useRef<HTMLHeadingElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the next row that opens gets it, too.
  useEffect(() => {
    // Who types the search that opens it goes on typing.
    if (document.activeElement?.matches("input")) return;
    heading.current?.focus({ preventScroll: true });
  }, [title]);
  function close() {
    document.querySelector<HTMLElement>("[data-row][aria-current=true]")?.focus();
    changeView(Object.fromEntries(names.map((name) => [name, undefined])));
  }
  useShortcut("Escape", keys.close, close);
  useLook(object);
  return (
    <section aria-label={title} className="org-panel">
      <header className="org-panel-head">
        <h2 ref={heading} tabIndex={-1}>
          <bdi>{title}</bdi>
        </h2>
        <button type="button" className="org-small" aria-label={list.close} onClick={close}>
          <CrossIcon />
        </button>
      </header>
      <LooksHere object={object} />
      {children}
    </section>
  );
}

/** Facts in two columns; those without a value are left out. */
export function Facts({ rows }: { rows: readonly (readonly [string, ReactNode])[] }) {
  const known = rows.filter(([, value]) => value !== null && value !== undefined && value !== "");
  return (
    <dl className="org-facts">
      {known.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
