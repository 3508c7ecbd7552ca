/** A settings form with a draft, saved through the action dialog. */
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef } from "react";
import type { ActionName } from "../../../api/actions";
import { type DraftOf, useDraft } from "../../../api/drafts";
import type { Settings } from "../../../api/organize-settings";
import { useOrganizeMessages, wordFor } from "../../../messages/organize/words";
import { Form } from "../../../ui/field/field";
import { useActionDialog } from "../change/action-dialog";
import type { ActionOrder, Order } from "../change/order";
import { ListState } from "../frame/list";
import { useSettings } from "../frame/queries";
import styles from "./form.module.css";
import type { Value, Values } from "./values";

interface FormOf {
  readonly key: string;
  readonly now: Values;
  readonly readNow: () => Promise<Values>;
  /** Action that saves the draft; null if the draft is invalid. */
  readonly action: (values: Values, changed: readonly string[]) => ActionOrder | null;
  /** Summary of a value for the dialog; undefined for the default summary. */
  readonly shown?: (name: string, value: Value) => string | null;
  /** Called after a new object was created, when the form no longer matches it. */
  readonly onMade?: (values: Values) => void;
}

function useShown(): (value: Value | undefined) => string {
  const { forms, teams } = useOrganizeMessages().pages;
  return (value = "") => {
    if (typeof value === "boolean") return value ? teams.yes : teams.no;
    if (typeof value !== "string")
      return value.length === 0 ? forms.nothing : forms.some(value.length);
    if (value === "") return forms.nothing;
    return value.replaceAll("\n", ", ");
  };
}

/** Warns before closing a tab with unsaved changes. */
export function useLeaving(isChanged: boolean): void {
  useEffect(() => {
    if (!isChanged) return;
    const onLeave = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener("beforeunload", onLeave);
    return () => window.removeEventListener("beforeunload", onLeave);
  }, [isChanged]);
}

export function useSetForm({ key, now, readNow, action, shown, onMade }: FormOf) {
  const { editor, forms } = useOrganizeMessages().pages;
  const { manage } = useOrganizeMessages();
  const { ask, renew } = useActionDialog();
  const inWords = useShown();
  const draft = useDraft("organize", key, now);
  const { values, changed, both } = draft;
  const label = (name: string) => wordFor(forms.labels, name);
  const said = (name: string, value: Value | undefined) =>
    (value === undefined ? null : shown?.(name, value)) ?? inWords(value);
  const line = (name: string) =>
    forms.becomes(label(name), said(name, now[name]), said(name, values[name]));
  /** Values that someone else saved over those that the edit started from. */
  const theirs = both.map((name) =>
    manage.was(label(name), said(name, draft.over[name]), said(name, now[name])),
  );
  const found = changed.length > 0 ? action(values, changed) : null;
  const warning =
    both.length === 0 ? null : editor.both(editor.someone, both.map(label).join(", "));
  const order: Order | null = found && {
    ...found,
    lines: changed.map(line),
    basedOn: {
      version: JSON.stringify(now),
      read: async () => JSON.stringify(await readNow()),
      warning,
    },
    onDone() {
      if (!onMade) return draft.saved();
      draft.discard();
      onMade(values);
    },
  };
  // The values may change while the dialog is open.
  useEffect(() => {
    if (order) renew(order);
  });
  useLeaving(changed.length > 0);
  return { draft, theirs, canSave: order !== null, save: () => order && ask(order) };
}

export type SetForm = ReturnType<typeof useSetForm>;

/** Saves on Ctrl or Cmd with Enter or S. */
export function saveOnKey(event: KeyboardEvent<HTMLFormElement>) {
  const isSave = event.key === "Enter" || event.key.toLowerCase() === "s";
  if (!isSave || !(event.ctrlKey || event.metaKey)) return;
  event.preventDefault();
  event.currentTarget.requestSubmit();
}

interface FrameProps {
  form: SetForm;
  /** Action that names the button. */
  action: ActionName;
  /** Target of the outline, in a page with one. Otherwise, the form is a card. */
  section?: string;
  title: string;
  note?: string | undefined;
  /** True if the form is read-only. */
  isShown?: boolean;
  children: ReactNode;
}

/** Scrolls the edited field into view when the foot begins to stick, which could cover it. */
function useShownField(isChanged: boolean) {
  const foot = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const field = document.activeElement;
    if (!isChanged || !field || !foot.current?.closest("form")?.contains(field)) return;
    const { bottom } = field.getBoundingClientRect();
    if (bottom > foot.current.getBoundingClientRect().top)
      field.scrollIntoView({ block: "nearest" });
  }, [isChanged]);
  return foot;
}

function SaveBar(props: { draft: DraftOf<Values>; canSave: boolean; action: ActionName }) {
  const { draft, canSave, action } = props;
  const { editor: words, sheet } = useOrganizeMessages().pages;
  const { manage } = useOrganizeMessages();
  const count = draft.changed.length;
  return (
    <div
      ref={useShownField(count > 0)}
      className={styles.foot}
      data-changed={count > 0 || undefined}
    >
      <span role="status" className="org-note">
        {count > 0 ? manage.unsaved(count) : manage.nothingToSave}
      </span>
      {count > 0 && (
        <button type="button" onClick={draft.discard}>
          {words.discard}
        </button>
      )}
      <button type="submit" aria-disabled={!canSave}>
        {wordFor(sheet.actions, action)}
      </button>
    </div>
  );
}

/** Names the changes of a colleague in fields that are being edited. */
function Warning({ lines }: { lines: readonly string[] }) {
  const { manage } = useOrganizeMessages();
  return (
    <div role="alert">
      {lines.length > 0 && (
        <div className={styles.warning}>
          <p>{manage.theyChanged}</p>
          <ul>
            {lines.map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
        </div>
      )}
    </div>
  );
}

export function SetFormFrame(props: FrameProps) {
  const { form, action, section, title, note, isShown = false, children } = props;
  const id = useId();
  return (
    <Form
      id={section}
      className={section ? styles.form : `org-card ${styles.form}`}
      aria-labelledby={id}
      noValidate
      onSubmit={form.save}
      onKeyDown={saveOnKey}
    >
      <div className={styles.head}>
        <h2 id={id} tabIndex={-1}>
          {title}
        </h2>
        {note && <p className="org-note">{note}</p>}
        <Warning lines={form.theirs} />
      </div>
      {children}
      {!isShown && <SaveBar draft={form.draft} canSave={form.canSave} action={action} />}
    </Form>
  );
}

export interface OfSettings {
  settings: Settings;
  readSettings: () => Promise<Settings>;
}

export function WithSettings({ children }: { children: (of: OfSettings) => ReactNode }) {
  const settings = useSettings();
  return (
    <ListState of={settings}>
      {(data) => {
        const again = () => settings.refetch({ throwOnError: true });
        return children({ settings: data, readSettings: async () => (await again()).data ?? data });
      }}
    </ListState>
  );
}
