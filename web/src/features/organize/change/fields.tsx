/** The fields of a sheet, each by its kind. */
import { type ReactNode, useId } from "react";
import countries from "../../../../../vectors/countries.json";
import { ACTIONS } from "../../../api/actions";
import { useMessages } from "../../../messages/language";
import { useOrganizeMessages, wordFor } from "../../../messages/organize/words";
import { Field } from "../../../ui/field/field";
import { countryName } from "../../../ui/flag/flag";
import { useAnswers, useEveryChallenge } from "../frame/reading";
import { TimeField, useEventTimeText } from "../time-field";
import type { FieldOf } from "./order";

interface InputProps {
  field: FieldOf;
  label: string;
  value: string | true | undefined;
  fault: string | null;
  /** What a colleague made of it since it was typed into. */
  became?: string | true | undefined;
  onChange: (value: string | true) => void;
}

interface LongProps {
  label: string;
  value: string;
  fault: string | null;
  hint?: string;
  maxLength: number;
  rows?: number;
  readOnly?: boolean;
  onChange: (value: string) => void;
}

/** A field of several lines. */
export function LongField({ label, value, fault, hint, onChange, rows = 3, ...rest }: LongProps) {
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
  label: string;
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

interface SelectProps {
  label: string;
  value: string;
  disabled?: boolean;
  onChange: (value: string) => void;
  children: ReactNode;
}

export function Select({ label, value, disabled, onChange, children }: SelectProps) {
  const id = useId();
  return (
    <div className="org-field">
      <label htmlFor={id}>{label}</label>
      <select
        id={id}
        value={value}
        disabled={disabled}
        onChange={(event) => onChange(event.currentTarget.value)}
      >
        {children}
      </select>
    </div>
  );
}

function Countries({ label, value, onChange }: Omit<SelectProps, "children">) {
  const { locale } = useMessages();
  return (
    <Select label={label} value={value} onChange={onChange}>
      <option value="" />
      {countries.map(({ code }) => (
        <option key={code} value={code}>
          {countryName(code, locale)}
        </option>
      ))}
    </Select>
  );
}

interface StatesProps extends Omit<SelectProps, "children"> {
  states: readonly string[];
  words: Readonly<Record<string, string>>;
}

/** One of a few states; none is chosen yet if there was none. */
function States({ label, value, onChange, states, words }: StatesProps) {
  return (
    <Select label={label} value={value} onChange={onChange}>
      {value === "" && <option value="" />}
      {states.map((state) => (
        <option key={state} value={state}>
          {wordFor(words, state)}
        </option>
      ))}
    </Select>
  );
}

/** A text with another one added below it. */
const joined = (text: string, added: string) =>
  text.trim() === "" ? added : `${text.trimEnd()}\n\n${added}`;

/** The text of an answer, to which one that is ready can be added. */
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
        <Select label={forms.insertAnswer} value="" onChange={insert}>
          <option value="" />
          {answers.map(({ title }, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two may have the same title.
            <option key={at} value={at}>
              {title}
            </option>
          ))}
        </Select>
      )}
    </>
  );
}

const STATUSES = ACTIONS["challenge.status"].fields.status;
const EVIDENCE_STATES = ACTIONS["evidence.state"].fields.state;

/** How long a notice may be urgent, in minutes. */
const MINUTES = [5, 15, 60];

const TYPES = { text: "text", email: "email", number: "text" } as const;

/** A value in words. */
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

/** A field of an action, with what it became meanwhile. */
export function ActionField({ became, ...props }: InputProps) {
  const { sheet } = useOrganizeMessages().pages;
  const shown = useShown(props.field);
  return (
    <div>
      <Input {...props} />
      <div role="status">
        {became !== undefined && (
          <p className="org-near">
            <bdi>{sheet.nowIs(shown(became))}</bdi>{" "}
            <button type="button" className="org-small" onClick={() => props.onChange(became)}>
              {sheet.takeNow}
            </button>
          </p>
        )}
      </div>
    </div>
  );
}

/** One of all challenges, by name. */
function ChallengeChoice(props: Omit<SelectProps, "children">) {
  const challenges = useEveryChallenge().data ?? [];
  return (
    <Select {...props}>
      <option value="" />
      {challenges.map(({ id, challengeName }) => (
        <option key={id} value={id}>
          {challengeName}
        </option>
      ))}
    </Select>
  );
}

function Input({ field, label, value, fault, onChange }: Omit<InputProps, "became">) {
  const { sheet, statuses, evidence } = useOrganizeMessages().pages;
  const text = value === true ? "" : (value ?? "");
  const props = { label, value: text, onChange };
  switch (field.kind) {
    case "tick":
      return <Tick label={label} on={value === true} onChange={(on) => onChange(on ? true : "")} />;
    case "country":
      return <Countries {...props} />;
    case "status":
      return <States {...props} states={STATUSES} words={statuses} />;
    case "evidence":
      return <States {...props} states={EVIDENCE_STATES} words={evidence.states} />;
    case "challenge":
      return <ChallengeChoice {...props} />;
    case "minutes":
      return (
        <Select {...props}>
          <option value="">{sheet.untilWithdrawn}</option>
          {MINUTES.map((minutes) => (
            <option key={minutes} value={minutes}>
              {sheet.minutes(minutes)}
            </option>
          ))}
        </Select>
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
