/** A form that sets something by the sheet of an action, with its draft. */
import { type KeyboardEvent, type ReactNode, useEffect, useId } from "react";
import type { ActionName } from "../../../api/actions";
import { type DraftOf, useDraft } from "../../../api/drafts";
import type { Settings } from "../../../api/organize-settings";
import { useOrganizeMessages, wordFor } from "../../../messages/organize/words";
import { Form } from "../../../ui/field/field";
import { useActing } from "../change/acting";
import type { ActionOrder, Order } from "../change/order";
import { ListState } from "../frame/list";
import { useSettings } from "../frame/reading";
import type { Value, Values } from "./values";

interface FormOf {
  readonly key: string;
  readonly now: Values;
  readonly readNow: () => Promise<Values>;
  /** The action with the draft; null if it cannot be saved so. */
  readonly action: (values: Values, changed: readonly string[]) => ActionOrder | null;
  /** What a value says in a line; those that are left out are said in general. */
  readonly shown?: (name: string, value: Value) => string | null;
  /** Something new is made: the form is not the one of what is there then. */
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

/** Says before a tab with unsaved changes is closed that they would be lost. */
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
  const { ask, renew } = useActing();
  const inWords = useShown();
  const draft = useDraft("organize", key, now);
  const { values, changed, both } = draft;
  const label = (name: string) => wordFor(forms.labels, name);
  const line = (name: string) => {
    const said = (value: Value | undefined) =>
      (value === undefined ? null : shown?.(name, value)) ?? inWords(value);
    return forms.becomes(label(name), said(now[name]), said(values[name]));
  };
  const found = changed.length > 0 ? action(values, changed) : null;
  const warning =
    both.length === 0 ? null : editor.both(editor.someone, both.map(label).join(", "));
  const order: Order | null = found && {
    ...found,
    lines: changed.map(line),
    madeOf: {
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
  // Somebody else may change it while the sheet is open.
  useEffect(() => {
    if (order) renew(order);
  });
  useLeaving(changed.length > 0);
  return { draft, warning, canSave: order !== null, save: () => order && ask(order) };
}

export type SetForm = ReturnType<typeof useSetForm>;

/** Ctrl or Cmd with Enter or S saves. */
export function saveOnKey(event: KeyboardEvent<HTMLFormElement>) {
  const isSave = event.key === "Enter" || event.key.toLowerCase() === "s";
  if (!isSave || !(event.ctrlKey || event.metaKey)) return;
  event.preventDefault();
  event.currentTarget.requestSubmit();
}

interface FrameProps {
  form: SetForm;
  /** The action whose name its button has. */
  action: ActionName;
  title: string;
  note?: string | undefined;
  /** Nothing of it may be changed. */
  isShown?: boolean;
  children: ReactNode;
}

function SaveBar(props: { draft: DraftOf<Values>; canSave: boolean; action: ActionName }) {
  const { draft, canSave, action } = props;
  const { editor: words, sheet } = useOrganizeMessages().pages;
  const isChanged = draft.changed.length > 0;
  return (
    <div className="org-actions">
      <button type="submit" aria-disabled={!canSave}>
        {wordFor(sheet.actions, action)}
      </button>
      {isChanged && (
        <button type="button" className="org-small" onClick={draft.discard}>
          {words.discard}
        </button>
      )}
      <span role="status" className="org-note">
        {isChanged && words.unsaved}
      </span>
    </div>
  );
}

export function SetFormFrame({ form, action, title, note, isShown = false, children }: FrameProps) {
  const id = useId();
  return (
    <Form
      className="org-card"
      aria-labelledby={id}
      noValidate
      onSubmit={form.save}
      onKeyDown={saveOnKey}
    >
      <h2 id={id}>{title}</h2>
      {note && <p className="org-note">{note}</p>}
      <div role="alert">{form.warning && <p className="org-bad">{form.warning}</p>}</div>
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
