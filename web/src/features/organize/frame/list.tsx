/** Parts of a list page: search, filters, more rows, and the panel of the open row. */
import { type ComponentProps, type ReactNode, useEffect, useRef } from "react";
import { useOrganizeMessages } from "../../../messages/organize/words";
import { CrossIcon } from "../../../ui/icons/icons";
import { optionsOf, Select } from "../change/fields";
import { FilterLine } from "../filters/filter-line";
import { type Filter, type Order, parametersOf, type Search } from "../filters/filters";
import { ViewsRow } from "../filters/views-row";
import { QueryContent } from "../query-content";
import { useShareViewing, Viewers } from "./channel";
import { OfRowContext, useRowKeys, useShortcut } from "./keys";
import styles from "./list.module.css";
import { type Changes, changeView, useView, ViewLink } from "./view";

interface ChoiceFilterProps {
  name: string;
  label: string;
  words: Readonly<Record<string, string>>;
}

/** A filter of a list that has only one. */
export function ChoiceFilter({ name, label, words }: ChoiceFilterProps) {
  const { list } = useOrganizeMessages().pages;
  return (
    <Select
      className="org-filter"
      label={label}
      value={useView()(name)}
      options={[["", list.all], ...optionsOf(words)]}
      onChange={(value) => changeView({ [name]: value }, { replace: true })}
    />
  );
}

export function ListState<T>(
  props: Pick<ComponentProps<typeof QueryContent<T>>, "of" | "children">,
) {
  return <QueryContent label={useOrganizeMessages().pages.list.loading} {...props} />;
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
  /** The main action of the page, at the end of the head. */
  action?: ReactNode;
  /** True if the page has named views, and views can be saved. */
  hasViews?: boolean;
  search?: Search | undefined;
  filters?: readonly Filter[];
  order?: Order | undefined;
  /** Number of results, such as "12 of 40". */
  count?: string | undefined;
  /** True if the panel is wider than the list. */
  isInbox?: boolean;
  panel?: ReactNode;
  children: ReactNode;
}

/** A list with views and filters, and a panel beside it, or from below on narrow screens. */
export function ListPage(props: PageProps) {
  const { title, tabs, action, hasViews, search, filters, order, count, panel, children } = props;
  const columns = props.isInbox ? styles.inbox : styles.open;
  const { keys } = useOrganizeMessages().pages;
  useRowKeys(keys);
  const names = [
    ...(search ? [search.name] : []),
    ...(filters ?? []).flatMap(parametersOf),
    ...(order ? ["order"] : []),
  ];
  return (
    <div className={panel ? `org-split org-open ${columns}` : "org-split"}>
      <div className={styles.main}>
        <div className={styles.head}>
          <h1>{title}</h1>
          {tabs}
          {action && <div className={styles.action}>{action}</div>}
        </div>
        {hasViews && <ViewsRow names={names} />}
        {(filters || search) && (
          <FilterLine search={search} filters={filters ?? []} order={order} count={count} />
        )}
        <div className="org-list">{children}</div>
      </div>
      {panel}
    </div>
  );
}

/** True if the last input was a pointer's. */
let isByPointer = false;
document.addEventListener("pointerdown", () => {
  isByPointer = true;
});
document.addEventListener("keydown", () => {
  isByPointer = false;
});

interface PanelProps {
  title: string;
  /** URL parameters that open the panel. */
  names: readonly string[];
  /**
   * Object that other organizers see as being viewed, such as `team Otters`; undefined if the panel
   * opened by itself, which takes no focus.
   */
  object: string | undefined;
  /** True for a panel that is always open on wide screens. */
  isFixed?: boolean;
  /** The main action, beside the title. */
  action?: ReactNode;
  /** Menu of the other actions. */
  menu?: ReactNode;
  children: ReactNode;
}

/** Details of the open row. Esc closes the panel and returns the focus to the row. */
export function Panel(props: PanelProps) {
  const { title, names, object, isFixed = false, action, menu, children } = props;
  const { list, keys } = useOrganizeMessages().pages;
  const heading = useRef<HTMLHeadingElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each opened row takes the focus.
  useEffect(() => {
    // Keep the focus in the search field that opened the panel.
    if (object === undefined) return;
    if (document.activeElement?.matches("input")) return;
    heading.current?.toggleAttribute("data-quiet", isByPointer);
    heading.current?.focus({ preventScroll: true });
  }, [title]);
  function close() {
    document.querySelector<HTMLElement>("[data-row][aria-current=true]")?.focus();
    changeView(Object.fromEntries(names.map((name) => [name, undefined])));
  }
  useShortcut("Escape", keys.close, close);
  useShareViewing(object);
  return (
    <section aria-label={title} className={`org-panel ${styles.panel}`} data-fixed={isFixed}>
      <header className={styles.panelHead}>
        <h2 ref={heading} tabIndex={-1}>
          <bdi>{title}</bdi>
        </h2>
        <OfRowContext value={true}>
          {action}
          {menu}
        </OfRowContext>
        <button type="button" className={styles.close} aria-label={list.close} onClick={close}>
          <CrossIcon />
        </button>
      </header>
      <div className={styles.body}>
        {object !== undefined && <Viewers object={object} />}
        <OfRowContext value={true}>{children}</OfRowContext>
      </div>
    </section>
  );
}

/** Facts in two columns; those without a value are omitted. */
export function Facts({ rows }: { rows: readonly (readonly [string, ReactNode])[] }) {
  const known = rows.filter(([, value]) => value !== null && value !== undefined && value !== "");
  return (
    <dl className={styles.facts}>
      {known.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
