/** Views of a list, as links above its filters: all rows, named views, and the organizer's own. */
import { Popover, PopoverDisclosure, PopoverProvider, usePopoverContext } from "@ariakit/react";
import { type FormEvent, useState } from "react";
import { useOrganizeMessages } from "../../../messages/organize/words";
import { useAddress } from "../../../navigate";
import { Field } from "../../../ui/field/field";
import { CrossIcon } from "../../../ui/icons/icons";
import { CopyButton } from "../copy-button";
import { MENU_PROPS } from "../frame/menu-props";
import { useMay } from "../frame/queries";
import { type Changes, ViewLink } from "../frame/view";
import { removeView, type SavedView, saveView, useSavedViews } from "./saved-views";
import { isView, viewsOf } from "./views";
import styles from "./views-row.module.css";

const toQuery = (search: string): Changes => Object.fromEntries(new URLSearchParams(search));

/** Returns a query string with only these parameters, without `?`. */
function only(names: readonly string[], search: string): string {
  const all = [...new URLSearchParams(search)];
  return new URLSearchParams(all.filter(([name]) => names.includes(name))).toString();
}

interface SaveProps {
  path: string;
  search: string;
}

function SaveForm({ path, search }: SaveProps) {
  const { filters } = useOrganizeMessages();
  const { views: words } = filters;
  const popover = usePopoverContext();
  const [name, setName] = useState("");
  const [fault, setFault] = useState<string | null>(null);
  function save(event: FormEvent) {
    event.preventDefault();
    const text = name.trim();
    if (text === "") return setFault(words.nameFault);
    saveView({ name: text, path, search });
    popover?.hide();
  }
  return (
    <form className={styles.form} onSubmit={save}>
      <Field
        announced
        label={words.name}
        autoComplete="off"
        maxLength={40}
        value={name}
        fault={fault}
        onChange={(event) => {
          setName(event.currentTarget.value);
          setFault(null);
        }}
      />
      <p>{words.note}</p>
      <div className={styles.buttons}>
        <CopyButton text={`${window.location.origin}${path}?${search}`} label={words.copy} />
        <button type="submit" className="org-do">
          {words.save}
        </button>
      </div>
    </form>
  );
}

function Save(props: SaveProps) {
  const { views: words } = useOrganizeMessages().filters;
  return (
    <PopoverProvider placement="bottom-start">
      <PopoverDisclosure className={styles.save}>{words.save}</PopoverDisclosure>
      <Popover {...MENU_PROPS} preserveTabOrder gutter={4} unmountOnHide aria-label={words.save}>
        <SaveForm {...props} />
      </Popover>
    </PopoverProvider>
  );
}

function Saved({ view, isOpen, clear }: { view: SavedView; isOpen: boolean; clear: Changes }) {
  const { views: words } = useOrganizeMessages().filters;
  return (
    <li className={styles.own}>
      <ViewLink
        changes={{ ...clear, ...toQuery(view.search) }}
        aria-current={isOpen ? "page" : undefined}
      >
        <bdi>{view.name}</bdi>
      </ViewLink>
      {isOpen && (
        <button type="button" aria-label={words.remove(view.name)} onClick={() => removeView(view)}>
          <CrossIcon />
        </button>
      )}
    </li>
  );
}

/** `names` are the query parameters of the page's filters, search and order. */
export function ViewsRow({ names }: { names: readonly string[] }) {
  const { views: words } = useOrganizeMessages().filters;
  const { path, search } = useAddress();
  const may = useMay();
  const named = viewsOf(path, may);
  const saved = useSavedViews().filter((one) => one.path === path);
  const known = [...named.map(({ query }) => query), ...saved.map((one) => toQuery(one.search))];
  // The parameters of all views, so that a view clears the one before it.
  const all = [...new Set([...names, ...known.flatMap((query) => Object.keys(query))])];
  const clear: Changes = Object.fromEntries(all.map((name) => [name, undefined]));
  const isOpen = (query: Changes) => isView(query, all, search);
  const own = only(all, search);
  const isKnown = own === "" || known.some(isOpen);
  if (named.length === 0 && saved.length === 0 && isKnown) return null;
  return (
    <nav aria-label={words.title} className={styles.row}>
      <ul>
        <li>
          <ViewLink changes={clear} aria-current={own === "" ? "page" : undefined}>
            {words.all}
          </ViewLink>
        </li>
        {named.map(({ name, query }) => (
          <li key={name}>
            <ViewLink
              changes={{ ...clear, ...query }}
              title={words.hints[name]}
              aria-current={isOpen(query) ? "page" : undefined}
            >
              {words.names[name]}
            </ViewLink>
          </li>
        ))}
        {saved.map((view) => (
          <Saved key={view.name} view={view} isOpen={isOpen(toQuery(view.search))} clear={clear} />
        ))}
      </ul>
      {!isKnown && <Save path={path} search={own} />}
    </nav>
  );
}
