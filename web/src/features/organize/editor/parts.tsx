/** The parts of the editor that are lists: flags, hints and requirements. */
import { type ReactNode, useRef } from "react";
import type { Found } from "../../../api/organize-sources";
import { useOrganizeMessages, wordFor } from "../../../messages/organize/words";
import { Field } from "../../../ui/field/field";
import { CrossIcon } from "../../../ui/icons/icons";
import {
  challengeOptions,
  LongField,
  type NamedChallenge,
  NO_CHOICE,
  optionsOf,
  Select,
} from "../change/fields";
import { TimeField } from "../time-field";
import { type EditorDraft, FLAG_KINDS } from "./form";
import { Problems, problemsAt } from "./problems";

export interface PartProps {
  draft: EditorDraft;
  problems: readonly Found[];
}

/** The list with one item changed; `undefined` removes it. */
function replaced<T>(list: readonly T[], at: number, item?: T): readonly T[] {
  return list.flatMap((one, index) => (index === at ? (item === undefined ? [] : [item]) : [one]));
}

const ADDS = "button[data-add], input[data-add], [data-add] select";

/** Removes an item; the focus goes to what adds one. */
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
      className="org-small org-remove"
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
  children: (row: T, number: number, change: (row: T) => void) => ReactNode;
}

export function Rows<T>({ of, onChange, removeLabel, children }: RowsProps<T>) {
  return of.map((row, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a row is known by its place alone.
    <div key={at} className="org-row">
      {children(row, at + 1, (next) => onChange(replaced(of, at, next)))}
      <Remove label={removeLabel(at + 1)} onRemove={() => onChange(replaced(of, at))} />
    </div>
  ));
}

export function Add({ label, onAdd }: { label: string; onAdd: () => void }) {
  return (
    <button type="button" data-add className="org-small org-add" onClick={onAdd}>
      {label}
    </button>
  );
}

export function FlagsPart({ draft, problems }: PartProps) {
  const { editor: words } = useOrganizeMessages().pages;
  const { flags } = draft.values;
  const set = (all: typeof flags) => draft.set("flags", all);
  const kinds = new Set(flags.map(({ kind }) => kind));
  return (
    <fieldset className="org-part">
      <legend>{words.flags}</legend>
      <Rows of={flags} onChange={set} removeLabel={words.removeFlag}>
        {(flag, number, change) => (
          <>
            <Select
              label={words.flagKind(number)}
              value={flag.kind}
              options={optionsOf(words.kinds, [...new Set([...FLAG_KINDS, flag.kind])])}
              onChange={(kind) => change({ ...flag, kind })}
            />
            <div className="org-grow">
              <Field
                label={words.flag(number)}
                autoComplete="off"
                spellCheck={false}
                className="org-code"
                value={flag.text}
                onChange={(event) => change({ ...flag, text: event.currentTarget.value })}
              />
            </div>
          </>
        )}
      </Rows>
      {[...kinds].map((kind) => {
        const hint = wordFor(words.kindHints, kind);
        return hint === kind ? null : (
          <p key={kind} className="org-note">
            {hint}
          </p>
        );
      })}
      <Problems of={problemsAt(problems, "flags")} />
      <Add label={words.addFlag} onAdd={() => set([...flags, { kind: "static", text: "" }])} />
    </fieldset>
  );
}

export function HintsPart({ draft, problems }: PartProps) {
  const { editor: words } = useOrganizeMessages().pages;
  const { hints } = draft.values;
  const set = (all: typeof hints) => draft.set("hints", all);
  return (
    <fieldset className="org-part">
      <legend>{words.hints}</legend>
      <p className="org-note">{words.hintsNote}</p>
      <Rows of={hints} onChange={set} removeLabel={words.removeHint}>
        {(hint, number, change) => (
          <>
            <div className="org-grow">
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
          </>
        )}
      </Rows>
      <Problems of={problemsAt(problems, "hints")} />
      <Add label={words.addHint} onAdd={() => set([...hints, { text: "", at: "" }])} />
    </fieldset>
  );
}

export function RequirementsPart(props: PartProps & { others: readonly NamedChallenge[] }) {
  const { draft, problems, others } = props;
  const { editor: words } = useOrganizeMessages().pages;
  const { requirements } = draft.values;
  const nameOf = (id: string) => others.find((one) => one.id === id)?.challengeName ?? id;
  const left = others.filter(({ id }) => !requirements.includes(id));
  return (
    <fieldset className="org-part">
      <legend>{words.requirements}</legend>
      <p className="org-note">{words.requirementsNote}</p>
      {requirements.length > 0 && (
        <ul className="org-chips">
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
      <div data-add>
        <Select
          label={words.addRequirement}
          value=""
          options={[NO_CHOICE, ...challengeOptions(left)]}
          onChange={(id) => id !== "" && draft.set("requirements", [...requirements, id])}
        />
      </div>
    </fieldset>
  );
}
