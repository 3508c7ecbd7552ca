/** List fields of the editor: flags, hints and requirements. */
import { type ReactNode, useRef } from "react";
import type { Source } from "../../../api/organize-sources";
import { groupBy } from "../../../domain/board";
import { useOrganizeMessages, wordFor } from "../../../messages/organize/words";
import { Field } from "../../../ui/field/field";
import { CrossIcon } from "../../../ui/icons/icons";
import { Trial } from "../challenges/trial";
import { ActionButtons } from "../change/action-buttons";
import {
  challengeOptions,
  LongField,
  type NamedChallenge,
  NO_CHOICE,
  optionsOf,
  Select,
} from "../change/fields";
import { useMay } from "../frame/queries";
import { TimeField } from "../time-field";
import { Conflict } from "./draft/conflict";
import type { Editing } from "./draft/use-editor";
import { EMPTY_HINT, FLAG_KINDS, type HintOf } from "./form";
import { Problems, problemsAt } from "./problems";
import { LineField, Section } from "./section";
import styles from "./section.module.css";

/** Returns the list with one item replaced; `undefined` removes it. */
function replaced<T>(list: readonly T[], at: number, item?: T): readonly T[] {
  return list.flatMap((one, index) => (index === at ? (item === undefined ? [] : [item]) : [one]));
}

const ADDS = "button[data-add], input[data-add], [data-add] select";

/** Button that removes an item. The focus moves to the add button. */
export function Remove({ label, onRemove }: { label: string; onRemove: () => void }) {
  const button = useRef<HTMLButtonElement>(null);
  function remove() {
    button.current?.closest("fieldset")?.querySelector<HTMLElement>(ADDS)?.focus();
    onRemove();
  }
  return (
    <button
      ref={button}
      type="button"
      className={styles.remove}
      aria-label={label}
      onClick={remove}
    >
      <CrossIcon />
    </button>
  );
}

interface RowsProps<T> {
  of: readonly T[];
  onChange: (rows: readonly T[]) => void;
  removeLabel: (number: number) => string;
  /** True for rows with fields of several lines. */
  isTall?: boolean;
  children: (row: T, number: number, change: (row: T) => void) => ReactNode;
}

export function Rows<T>({ of, onChange, removeLabel, isTall = false, children }: RowsProps<T>) {
  return of.map((row, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: rows are identified only by their index.
    <div key={at} className={isTall ? `${styles.row} ${styles.tall}` : styles.row}>
      {children(row, at + 1, (next) => onChange(replaced(of, at, next)))}
      <Remove label={removeLabel(at + 1)} onRemove={() => onChange(replaced(of, at))} />
    </div>
  ));
}

export function Add({ label, onAdd }: { label: string; onAdd: () => void }) {
  return (
    <button type="button" data-add className={styles.add} onClick={onAdd}>
      {label}
    </button>
  );
}

/** Explanation of a kind of flag. */
function KindHint({ kind }: { kind: string }) {
  const { editor: words } = useOrganizeMessages().pages;
  const hint = words.kindHints[kind];
  return hint ? <p>{hint}</p> : null;
}

const LOGICS = ["any", "all"];

/** Number of flags that a team must find. */
function LogicField({ editing }: { editing: Editing }) {
  const { editor: words } = useOrganizeMessages().pages;
  const { draft, problems } = editing;
  const { logic } = draft.values;
  return (
    <div>
      <Select
        label={wordFor(words.labels, "logic")}
        value={logic}
        options={optionsOf(words.logics, [...new Set([...LOGICS, logic])])}
        onChange={(next) => draft.set("logic", next)}
      />
      <Problems of={problemsAt(problems, "logic")} />
      <Conflict name="logic" editing={editing} />
    </div>
  );
}

interface FlagsProps {
  editing: Editing;
  /** ID of the saved challenge, whose flags can be tested. */
  saved: string | undefined;
}

export function FlagsPart({ editing, saved }: FlagsProps) {
  const { editor: words } = useOrganizeMessages().pages;
  const may = useMay();
  const { draft, problems } = editing;
  const { flags } = draft.values;
  const set = (all: typeof flags) => draft.set("flags", all);
  return (
    <Section name="flags">
      <Rows of={flags} onChange={set} removeLabel={words.removeFlag}>
        {(flag, number, change) => (
          <>
            <Select
              label={words.flagKind(number)}
              value={flag.kind}
              options={optionsOf(words.kinds, [...new Set([...FLAG_KINDS, flag.kind])])}
              onChange={(kind) => change({ ...flag, kind })}
            />
            <div className={styles.grow}>
              <Field
                label={words.flag(number)}
                autoComplete="off"
                spellCheck={false}
                className={styles.code}
                value={flag.text}
                onChange={(event) => change({ ...flag, text: event.currentTarget.value })}
              />
            </div>
            <KindHint kind={flag.kind} />
          </>
        )}
      </Rows>
      <Problems of={problemsAt(problems, "flags")} />
      <Conflict name="flags" editing={editing} />
      <Add label={words.addFlag} onAdd={() => set([...flags, { kind: "static", text: "" }])} />
      <div className={styles.pair}>
        <LogicField editing={editing} />
        <LineField name="attempts" editing={editing} />
      </div>
      <LineField name="flagFormat" editing={editing} isCode />
      {saved !== undefined && may("flag.try") && (
        <div className={styles.trial}>
          <Trial challenge={saved} />
          <p className="org-note">{words.trialNote}</p>
        </div>
      )}
    </Section>
  );
}

interface HintDetailsProps {
  hint: HintOf;
  number: number;
  change: (hint: HintOf) => void;
}

/** Title, cost, key and requirements of a hint. */
function HintDetails({ hint, number, change }: HintDetailsProps) {
  const { editor: words } = useOrganizeMessages().pages;
  return (["title", "cost", "key", "after"] as const).map((name) => (
    <Field
      key={name}
      label={words.hintFields[name](number)}
      value={hint[name]}
      autoComplete="off"
      inputMode={name === "cost" ? "numeric" : undefined}
      onChange={(event) => change({ ...hint, [name]: event.currentTarget.value })}
    />
  ));
}

/**
 * Saved hints with a cost, each with a button that makes it free, and the teams that took each
 * hint, with the points that they pay now.
 */
function PricedHints({ saved, source }: { saved: readonly HintOf[]; source: Source }) {
  const { editor: words } = useOrganizeMessages().pages;
  const taken = new Map(groupBy(source.takenHints, ({ hint }) => hint));
  // Without a key, the place in the list identifies a hint.
  const priced = saved.flatMap(({ key, cost }, at) => (Number(cost) > 0 ? key || `${at + 1}` : []));
  function said(hint: string): string {
    const teams = taken.get(hint)?.map(({ teamName, cost }) => `${teamName} (${cost})`);
    return teams ? words.hintTaken(hint, teams.join(", ")) : words.hintFree(hint);
  }
  return [...new Set([...priced, ...taken.keys()])].map((hint) => (
    <div key={hint} className={styles.trial}>
      <p className="org-note">{said(hint)}</p>
      {priced.includes(hint) && (
        <ActionButtons
          name={words.hintFree(hint)}
          actions={[
            {
              action: "hint.free",
              fixed: { challenge: source.challenge, hint },
              object: words.hintFree(hint),
            },
          ]}
        />
      )}
    </div>
  ));
}

interface HintsProps {
  editing: Editing;
  /** Source of the saved challenge; null for a new one. */
  source: Source | null;
}

export function HintsPart({ editing, source }: HintsProps) {
  const { editor: words } = useOrganizeMessages().pages;
  const { draft, problems } = editing;
  const { hints } = draft.values;
  const set = (all: typeof hints) => draft.set("hints", all);
  return (
    <Section name="hints" note={words.hintsNote}>
      <Rows of={hints} onChange={set} removeLabel={words.removeHint} isTall>
        {(hint, number, change) => (
          <>
            <div className={styles.grow}>
              <LongField
                label={words.hint(number)}
                value={hint.text}
                maxLength={8000}
                rows={2}
                onChange={(text) => change({ ...hint, text })}
              />
            </div>
            <TimeField
              label={words.hintTime(number)}
              value={hint.at}
              onChange={(at) => change({ ...hint, at })}
            />
            <HintDetails {...{ hint, number, change }} />
          </>
        )}
      </Rows>
      <Problems of={problemsAt(problems, "hints")} />
      <Conflict name="hints" editing={editing} />
      {source && <PricedHints saved={draft.base.hints} source={source} />}
      <Add label={words.addHint} onAdd={() => set([...hints, EMPTY_HINT])} />
    </Section>
  );
}

interface RequirementsProps {
  editing: Editing;
  others: readonly NamedChallenge[];
}

export function RequirementsPart({ editing, others }: RequirementsProps) {
  const { editor: words } = useOrganizeMessages().pages;
  const { draft, problems, nameOf } = editing;
  const { requirements } = draft.values;
  const left = others.filter(({ id }) => !requirements.includes(id));
  return (
    <Section name="requirements" note={words.requirementsNote}>
      {requirements.length > 0 && (
        <ul className={styles.chips}>
          {requirements.map((id, at) => (
            <li key={id}>
              <bdi>{nameOf(id)}</bdi>
              <Remove
                label={words.removeRequirement(nameOf(id))}
                onRemove={() => draft.set("requirements", replaced(requirements, at))}
              />
            </li>
          ))}
        </ul>
      )}
      <Problems of={problemsAt(problems, "requirements")} />
      <Conflict name="requirements" editing={editing} />
      <div data-add>
        <Select
          label={words.addRequirement}
          value=""
          options={[NO_CHOICE, ...challengeOptions(left)]}
          onChange={(id) => id !== "" && draft.set("requirements", [...requirements, id])}
        />
      </div>
    </Section>
  );
}
