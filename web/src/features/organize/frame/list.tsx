/** The parts of a list: search, filters, more rows, and the panel of the row that is open. */
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from "react";
import { codeOf } from "../../../api/organize";
import { useOrganizeMessages, wordFor } from "../../../messages/organize/words";
import { CrossIcon } from "../../../ui/icons/icons";
import { Loading } from "../../../ui/loading/loading";
import { Failed } from "../refused";
import { LooksHere, useLook } from "./channel";
import { useRowKeys, useShortcut } from "./keys";
import { changeView, useView } from "./view";

/** A search runs once the field has been still for this long. */
const STILL_MS = 250;

interface TextFilterProps {
  /** The parameter of the address. */
  name: string;
  label: string;
  placeholder?: string;
  type?: "text" | "search" | "datetime-local";
}

/** A field whose text is a parameter of the address. */
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
  /** The values with their words. */
  words: Readonly<Record<string, string>>;
  /** Without it, the empty value is the word for all. */
  isOrder?: boolean;
}

/** A choice whose value is a parameter of the address. */
export function ChoiceFilter({ name, label, words, isOrder = false }: ChoiceFilterProps) {
  const { list } = useOrganizeMessages().pages;
  const id = useId();
  const value = useView()(name);
  return (
    <div className="org-filter">
      <label htmlFor={id}>{label}</label>
      <select
        id={id}
        value={value}
        onChange={(event) => changeView({ [name]: event.currentTarget.value }, { replace: true })}
      >
        {!isOrder && <option value="">{list.all}</option>}
        {Object.keys(words).map((one, at) => (
          <option key={one} value={isOrder && at === 0 ? "" : one}>
            {wordFor(words, one)}
          </option>
        ))}
      </select>
    </div>
  );
}

interface ListOf<T> {
  readonly data: T | undefined;
  readonly error: unknown;
  refetch(): unknown;
}

/** A list once it is read, its placeholder, or its error. */
export function ListState<T>(props: { of: ListOf<T>; children: (data: T) => ReactNode }) {
  const { list } = useOrganizeMessages().pages;
  const { data, error, refetch } = props.of;
  if (data !== undefined) return <>{props.children(data)}</>;
  if (!error || codeOf(error) === "login_needed") return <Loading label={list.loading} />;
  return <Failed error={error} onRetry={() => void refetch()} />;
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

interface ColumnsProps {
  /** The words of the columns, each with its class. */
  of: readonly (readonly [word: string, className?: string])[];
}

/** Cells of the head of a table. */
export function Columns({ of }: ColumnsProps) {
  return of.map(([word, className]) => (
    <th key={word} scope="col" className={className}>
      {word}
    </th>
  ));
}

interface PageProps {
  title: string;
  /** Links to its parts. */
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
