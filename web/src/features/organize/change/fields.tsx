/** Fields of an action dialog, by kind. */
import { type ReactNode, useId } from "react";
import countries from "../../../../../vectors/countries.json";
import { ACTIONS } from "../../../api/actions";
import type { ListedChallenge, ListedDivision } from "../../../api/organize-lists";
import { groupBy } from "../../../domain/board";
import { useMessages } from "../../../messages/language";
import { useOrganizeMessages, wordFor } from "../../../messages/organize/words";
import { Field } from "../../../ui/field/field";
import { countryName } from "../../../ui/flag/flag";
import { Loading } from "../../../ui/loading/loading";
import { useAllChallenges, useAllDivisions, useAnswers } from "../frame/queries";
import { TimeField, useEventTimeText } from "../time-field";
import styles from "./fields.module.css";
import type { FieldOf } from "./order";

interface InputProps {
  field: FieldOf;
  label: string;
  value: string | true | undefined;
  fault: string | null;
  /** Value that another organizer set since the field was edited. */
  changedTo?: string | true | undefined;
  onChange: (value: string | true) => void;
}

export interface LongProps {
  label: string;
  value: string;
  fault?: string | null;
  hint?: string | undefined;
  maxLength: number;
  rows?: number;
  readOnly?: boolean;
  onChange: (value: string) => void;
}

export function LongField(props: LongProps) {
  const { label, value, fault, hint, onChange, rows = 3, ...rest } = props;
  const id = useId();
  const note = fault ?? hint;
  return (
    <div className="org-field">
      <label htmlFor={id}>{label}</label>
      <textarea
        id={id}
        rows={rows}
        value={value}
        aria-invalid={fault ? true : undefined}
        aria-describedby={note ? `${id}-note` : undefined}
        onChange={(event) => onChange(event.currentTarget.value)}
        {...rest}
      />
      {note && (
        <p
          key={fault ? "fault" : "hint"}
          id={`${id}-note`}
          role={fault ? "alert" : undefined}
          className={fault ? "org-fault" : "org-note"}
        >
          {note}
        </p>
      )}
    </div>
  );
}

interface TickProps {
  label: ReactNode;
  on: boolean;
  disabled?: boolean;
  onChange: (on: boolean) => void;
}

export function Tick(props: TickProps) {
  return (
    <label className="org-tick">
      <input
        type="checkbox"
        checked={props.on}
        disabled={props.disabled}
        onChange={(event) => props.onChange(event.currentTarget.checked)}
      />
      {props.label}
    </label>
  );
}

/** Values of a select with their labels. */
export type Options = readonly (readonly [value: string, text: string])[];

/** Options with labels; without `names`, all that have a label. */
export function optionsOf(
  words: Readonly<Record<string, string>>,
  names: readonly string[] = Object.keys(words),
): Options {
  return names.map((name) => [name, wordFor(words, name)]);
}

export type NamedChallenge = Pick<ListedChallenge, "id" | "challengeName">;

export function challengeOptions(challenges: readonly NamedChallenge[]): Options {
  return challenges.map(({ id, challengeName }) => [id, challengeName]);
}

export const NO_CHOICE = ["", ""] as const;

interface SelectProps {
  label: string;
  value: string;
  options: Options;
  disabled?: boolean;
  className?: string;
  onChange: (value: string) => void;
}

export function Select(props: SelectProps) {
  const { label, value, options, disabled, className = "org-field", onChange } = props;
  const id = useId();
  return (
    <div className={className}>
      <label htmlFor={id}>{label}</label>
      <select
        id={id}
        value={value}
        disabled={disabled}
        onChange={(event) => onChange(event.currentTarget.value)}
      >
        {options.map(([one, text]) => (
          <option key={one} value={one}>
            {text}
          </option>
        ))}
      </select>
    </div>
  );
}

const joined = (text: string, added: string) =>
  text.trim() === "" ? added : `${text.trimEnd()}\n\n${added}`;

/** Answer text, with a menu that inserts saved replies. */
function AnswerField(props: Omit<LongProps, "maxLength">) {
  const { forms } = useOrganizeMessages().pages;
  const answers = useAnswers().data ?? [];
  function insert(at: string) {
    const answer = answers[Number(at)];
    if (at !== "" && answer) props.onChange(joined(props.value, answer.text));
  }
  return (
    <>
      <LongField {...props} rows={5} maxLength={8000} />
      {answers.length > 0 && (
        <Select
          label={forms.insertAnswer}
          value=""
          options={[NO_CHOICE, ...answers.map(({ title }, at) => [at.toString(), title] as const)]}
          onChange={insert}
        />
      )}
    </>
  );
}

const STATUSES = ACTIONS["challenge.status"].fields.status;
const EVIDENCE_STATES = ACTIONS["evidence.state"].fields.state;

/** Selectable durations of an urgent notice, in minutes. */
const MINUTES = [5, 15, 60];

const TYPES = { text: "text", email: "email", number: "text" } as const;

function useShown({ kind }: FieldOf): (value: string | true) => string {
  const { sheet, statuses, evidence, teams } = useOrganizeMessages().pages;
  const { locale } = useMessages();
  const timeText = useEventTimeText();
  return (value) => {
    if (value === true) return teams.yes;
    if (value === "") return kind === "tick" ? teams.no : sheet.empty;
    if (kind === "status") return wordFor(statuses, value);
    if (kind === "evidence") return wordFor(evidence.states, value);
    if (kind === "time" || kind === "second") return timeText(Date.parse(value));
    return kind === "country" ? countryName(value, locale) : value;
  };
}

/** A field of an action, with its concurrently changed value. */
export function ActionField({ changedTo, ...props }: InputProps) {
  const { sheet } = useOrganizeMessages().pages;
  const shown = useShown(props.field);
  return (
    <div>
      <Input {...props} />
      <div role="status">
        {changedTo !== undefined && (
          <p className="org-near">
            <bdi>{sheet.nowIs(shown(changedTo))}</bdi>{" "}
            <button type="button" className="org-small" onClick={() => props.onChange(changedTo)}>
              {sheet.takeNow}
            </button>
          </p>
        )}
      </div>
    </div>
  );
}

function ChallengeChoice(props: Omit<SelectProps, "options">) {
  const challenges = useAllChallenges().data ?? [];
  return <Select {...props} options={[NO_CHOICE, ...challengeOptions(challenges)]} />;
}

/** One select for each group of divisions. The value has the IDs, separated by spaces. */
function DivisionChoice({ label, value, onChange }: Omit<SelectProps, "options">) {
  const { divisions: words } = useOrganizeMessages().manage;
  const { data: all } = useAllDivisions();
  const chosen = value.split(" ");
  function choose(group: readonly ListedDivision[], id: string) {
    const others = chosen.filter((one) => group.every((division) => division.id !== one));
    const ids = (all ?? []).map((division) => division.id);
    onChange(ids.filter((one) => one === id || others.includes(one)).join(" "));
  }
  if (!all) return <Loading label={words.loading} />;
  return (
    <fieldset className={styles.choices}>
      <legend>{label}</legend>
      {groupBy(all, ({ group }) => group).map(([group, divisions]) => (
        <Select
          key={group}
          label={group}
          value={divisions.find(({ id }) => chosen.includes(id))?.id ?? ""}
          options={[NO_CHOICE, ...divisions.map((one) => [one.id, words.nameOf(one)] as const)]}
          onChange={(id) => choose(divisions, id)}
        />
      ))}
    </fieldset>
  );
}

function Input({ field, label, value, fault, onChange }: Omit<InputProps, "changedTo">) {
  const { sheet, statuses, evidence } = useOrganizeMessages().pages;
  const { locale } = useMessages();
  const text = value === true ? "" : (value ?? "");
  const props = { label, value: text, onChange };
  // Starts unselected if there was no value.
  const states = (words: Readonly<Record<string, string>>, names: readonly string[]) =>
    text === "" ? [NO_CHOICE, ...optionsOf(words, names)] : optionsOf(words, names);
  switch (field.kind) {
    case "tick":
      return <Tick label={label} on={value === true} onChange={(on) => onChange(on ? true : "")} />;
    case "country":
      return (
        <Select
          {...props}
          options={[
            NO_CHOICE,
            ...countries.map(({ code }) => [code, countryName(code, locale)] as const),
          ]}
        />
      );
    case "status":
      return <Select {...props} options={states(statuses, STATUSES)} />;
    case "evidence":
      return <Select {...props} options={states(evidence.states, EVIDENCE_STATES)} />;
    case "challenge":
      return <ChallengeChoice {...props} />;
    case "divisions":
      return <DivisionChoice {...props} />;
    case "minutes":
      return (
        <Select
          {...props}
          options={[
            ["", sheet.untilWithdrawn],
            ...MINUTES.map((minutes) => [minutes.toString(), sheet.minutes(minutes)] as const),
          ]}
        />
      );
    case "answer":
      return <AnswerField {...props} fault={fault} />;
    case "time":
    case "second":
      return (
        <TimeField
          {...props}
          hint={field.name === "at" && !field.required ? sheet.fields.atHint : undefined}
          toSecond={field.kind === "second"}
          fault={fault}
        />
      );
    case "long":
      return <LongField {...props} fault={fault} maxLength={8000} />;
    default:
      return (
        <Field
          announced
          label={label}
          type={TYPES[field.kind]}
          inputMode={field.kind === "number" ? "numeric" : undefined}
          autoComplete="off"
          maxLength={254}
          value={text}
          fault={fault}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      );
  }
}
