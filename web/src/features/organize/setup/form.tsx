/** Shared parts of the steps: performing actions, the form, and its fields. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type ComponentProps, type ReactNode, useId } from "react";
import type { ActionName, Fields } from "../../../api/actions";
import { ApiError } from "../../../api/client";
import { postAction } from "../../../api/organize-lists";
import { LIVE_KEY } from "../../../api/organize-live";
import { SETTINGS_KEY, type Settings } from "../../../api/organize-settings";
import { CTF_KEY } from "../../../api/queries";
import { useOrganizeMessages, wordFor } from "../../../messages/organize/words";
import { Field, Form } from "../../../ui/field/field";
import { Select, Tick } from "../change/fields";
import { useFaultText } from "../fault";
import { useGate } from "../second-factor-gate";
import { TimeField } from "../time-field";
import type { Draft } from "./answers";
import styles from "./setup.module.css";

export interface StepProps {
  settings: Settings;
  draft: Draft;
  onDone: () => void;
}

/** Performs an action. A "no change" error does not fail the step. */
export function useAction(): <Name extends ActionName>(
  action: Name,
  args: Fields<Name>,
) => Promise<void> {
  const run = useGate();
  return async (action, args) => {
    try {
      await run(() => postAction(action, args, {}));
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== "nothing_to_change") throw error;
    }
  };
}

interface StepFormProps {
  words: { readonly title: string; readonly note: string; readonly button?: string };
  draft: Draft;
  save: (form: HTMLFormElement) => Promise<void>;
  onDone: () => void;
  canSkip?: boolean;
  children: ReactNode;
}

/** Form of a step. Saving and skipping lead to the next step; only saving drops the draft. */
export function StepForm(props: StepFormProps) {
  const { words, draft, save, onDone, canSkip = true, children } = props;
  const { setup } = useOrganizeMessages();
  const cache = useQueryClient();
  const faultText = useFaultText();
  const saving = useMutation({
    networkMode: "always",
    mutationFn: save,
    onSuccess: async () => {
      void cache.invalidateQueries({ queryKey: LIVE_KEY });
      // Contains the event's time zone.
      void cache.invalidateQueries({ queryKey: CTF_KEY });
      await cache.invalidateQueries({ queryKey: SETTINGS_KEY });
      draft.discard();
      onDone();
    },
  });
  const fault = saving.error && faultText(saving.error);
  function submit(form: HTMLFormElement) {
    const wrong = form.querySelector<HTMLElement>("[aria-invalid=true]");
    if (wrong) wrong.focus();
    else if (!saving.isPending) saving.mutate(form);
  }
  return (
    <Form className={styles.form} onSubmit={submit}>
      <div>
        <h2>{words.title}</h2>
        <p className={styles.note}>{words.note}</p>
      </div>
      {children}
      <div role="alert">{fault !== null && <p className="org-fault">{fault}</p>}</div>
      <div className={styles.foot}>
        <button type="submit" className="org-do" aria-disabled={saving.isPending}>
          {words.button ?? setup.save}
        </button>
        {canSkip && (
          <button type="button" onClick={onDone}>
            {setup.skip}
          </button>
        )}
      </div>
    </Form>
  );
}

/** Key of a setting that a field changes. The field is read-only if the event files set the key. */
export interface KeyProps {
  settings: Settings;
  section: string;
  setting: string;
}

export function isFixed({ settings, section, setting }: KeyProps): boolean {
  return settings.fixed[section]?.includes(setting) ?? false;
}

interface AnswerProps extends ComponentProps<typeof Field> {
  draft: Draft;
  name: string;
  of?: KeyProps;
}

/** A text field whose value is an answer. */
export function Answer({ draft, name, of, hint, ...field }: AnswerProps) {
  const { fixed } = useOrganizeMessages().setup;
  const isReadOnly = of !== undefined && isFixed(of);
  return (
    <Field
      autoComplete="off"
      maxLength={field.type === "number" ? undefined : 500}
      {...field}
      name={name}
      value={draft.values[name] ?? ""}
      hint={isReadOnly ? fixed : hint}
      readOnly={isReadOnly}
      onChange={(event) => draft.set(name, event.currentTarget.value)}
    />
  );
}

interface TimeProps {
  draft: Draft;
  name: string;
  label: string;
  of: KeyProps;
}

/** A time field whose value, an ISO 8601 time, is an answer. */
export function AnswerTime({ draft, name, label, of }: TimeProps) {
  const { fixed } = useOrganizeMessages().setup;
  const isReadOnly = isFixed(of);
  return (
    <TimeField
      label={label}
      name={name}
      value={draft.values[name] ?? ""}
      hint={isReadOnly ? fixed : undefined}
      readOnly={isReadOnly}
      onChange={(value) => draft.set(name, value)}
    />
  );
}

interface ChoiceProps extends Omit<ComponentProps<typeof Select>, "value" | "onChange"> {
  draft: Draft;
  name: string;
  of?: KeyProps;
}

/** A select whose value is an answer. */
export function AnswerChoice({ draft, name, of, ...select }: ChoiceProps) {
  const { fixed } = useOrganizeMessages().setup;
  const isReadOnly = of !== undefined && isFixed(of);
  return (
    <div>
      <Select
        disabled={isReadOnly}
        {...select}
        value={draft.values[name] ?? ""}
        onChange={(value) => draft.set(name, value)}
      />
      {isReadOnly && <p className={styles.note}>{fixed}</p>}
    </div>
  );
}

interface AskProps {
  draft: Draft;
  name: string;
  question: string;
  modes: Readonly<Record<string, string>>;
  /** Effect of each answer. */
  notes: Readonly<Record<string, string>>;
  of?: KeyProps;
  children?: ReactNode;
}

/** A question with a few answers, and the effect of the chosen one. */
export function Ask({ draft, name, question, modes, notes, of, children }: AskProps) {
  const { fixed } = useOrganizeMessages().setup;
  const id = useId();
  const isReadOnly = of !== undefined && isFixed(of);
  const chosen = draft.values[name] ?? "";
  return (
    <fieldset className={styles.ask} disabled={isReadOnly} aria-describedby={`${id}-note`}>
      <legend>{question}</legend>
      <div className={styles.options}>
        {Object.entries(modes).map(([mode, text]) => (
          <label key={mode} className={styles.option}>
            <input
              type="radio"
              name={`${id}-mode`}
              checked={mode === chosen}
              onChange={() => draft.set(name, mode)}
            />
            <span>{text}</span>
          </label>
        ))}
      </div>
      <p id={`${id}-note`} className={styles.note}>
        {isReadOnly ? fixed : wordFor(notes, chosen)}
      </p>
      {children}
    </fieldset>
  );
}

interface TickProps {
  draft: Draft;
  name: string;
  label: string;
  note: string;
  of: KeyProps;
}

/** A checkbox whose state is an answer: `yes` or empty. */
export function AnswerTick({ draft, name, label, note, of }: TickProps) {
  const { fixed } = useOrganizeMessages().setup;
  const isReadOnly = isFixed(of);
  return (
    <div className={styles.tick}>
      <Tick
        label={label}
        on={draft.values[name] === "yes"}
        disabled={isReadOnly}
        onChange={(on) => draft.set(name, on ? "yes" : "")}
      />
      <p className={styles.note}>{isReadOnly ? fixed : note}</p>
    </div>
  );
}
