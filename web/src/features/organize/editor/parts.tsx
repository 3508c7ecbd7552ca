/** The parts of the editor that are lists: flags, hints and requirements. */
import { useRef } from "react";
import type { Found } from "../../../api/organize-sources";
import { useOrganizeMessages, wordFor } from "../../../messages/organize/words";
import { Field } from "../../../ui/field/field";
import { CrossIcon } from "../../../ui/icons/icons";
import { LongField, Select } from "../change/fields";
import { TimeField } from "../time-field";
import { type EditorDraft, FLAG_KINDS } from "./form";
import { Problems, problemsAt } from "./problems";

export interface PartProps {
  draft: EditorDraft;
  problems: readonly Found[];
}

/** The list with one item changed; `undefined` removes it. */
export function replaced<T>(list: readonly T[], at: number, item?: T): readonly T[] {
  return list.flatMap((one, index) => (index === at ? (item === undefined ? [] : [item]) : [one]));
}

/** What adds an item to a part. */
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
  const change = (at: number, kind: string, text: string) =>
    draft.set("flags", replaced(flags, at, { ...flags[at], kind, text }));
  const kinds = new Set(flags.map(({ kind }) => kind));
  return (
    <fieldset className="org-part">
      <legend>{words.flags}</legend>
      {flags.map(({ kind, text }, at) => {
        const number = at + 1;
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: a flag is known by its place alone.
          <div key={at} className="org-row">
            <Select
              label={words.flagKind(number)}
              value={kind}
              onChange={(kind) => change(at, kind, text)}
            >
              {[...new Set([...FLAG_KINDS, kind])].map((one) => (
                <option key={one} value={one}>
                  {wordFor(words.kinds, one)}
                </option>
              ))}
            </Select>
            <div className="org-grow">
              <Field
                label={words.flag(number)}
                autoComplete="off"
                spellCheck={false}
                className="org-code"
                value={text}
                onChange={(event) => change(at, kind, event.currentTarget.value)}
              />
            </div>
            <Remove
              label={words.removeFlag(number)}
              onRemove={() => draft.set("flags", replaced(flags, at))}
            />
          </div>
        );
      })}
      {[...kinds].map((kind) => {
        const hint = wordFor(words.kindHints, kind);
        return hint === kind ? null : (
          <p key={kind} className="org-note">
            {hint}
          </p>
        );
      })}
      <Problems of={problemsAt(problems, "flags")} />
      <Add
        label={words.addFlag}
        onAdd={() => draft.set("flags", [...flags, { kind: "static", text: "" }])}
      />
    </fieldset>
  );
}

export function HintsPart({ draft, problems }: PartProps) {
  const { editor: words } = useOrganizeMessages().pages;
  const { hints } = draft.values;
  const change = (at: number, text: string, time: string) =>
    draft.set("hints", replaced(hints, at, { ...hints[at], text, at: time }));
  return (
    <fieldset className="org-part">
      <legend>{words.hints}</legend>
      <p className="org-note">{words.hintsNote}</p>
      {hints.map(({ text, at: time }, at) => {
        const number = at + 1;
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: a hint is known by its place alone.
          <div key={at} className="org-row">
            <div className="org-grow">
              <LongField
                label={words.hint(number)}
                value={text}
                fault={null}
                maxLength={8000}
                rows={2}
                onChange={(text) => change(at, text, time)}
              />
            </div>
            <TimeField
              label={words.hintTime(number)}
              value={time}
              onChange={(time) => change(at, text, time)}
            />
            <Remove
              label={words.removeHint(number)}
              onRemove={() => draft.set("hints", replaced(hints, at))}
            />
          </div>
        );
      })}
      <Problems of={problemsAt(problems, "hints")} />
      <Add
        label={words.addHint}
        onAdd={() => draft.set("hints", [...hints, { text: "", at: "" }])}
      />
    </fieldset>
  );
}

interface Other {
  readonly id: string;
  readonly challengeName: string;
}

export function RequirementsPart(props: PartProps & { others: readonly Other[] }) {
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
          onChange={(id) => id !== "" && draft.set("requirements", [...requirements, id])}
        >
          <option value="" />
          {left.map(({ id, challengeName }) => (
            <option key={id} value={id}>
              {challengeName}
            </option>
          ))}
        </Select>
      </div>
    </fieldset>
  );
}
