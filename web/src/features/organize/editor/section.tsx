/** A section of the form, and its single-line fields. */
import type { ReactNode } from "react";
import { useOrganizeMessages, wordFor } from "../../../messages/organize/words";
import { Field } from "../../../ui/field/field";
import { Conflict } from "./draft/conflict";
import type { Editing } from "./draft/use-editor";
import type { TextName } from "./form";
import { type SectionName, sectionId } from "./layout/sections";
import { faultAt, type Place, Problems, problemsAt } from "./problems";
import styles from "./section.module.css";

interface SectionProps {
  name: SectionName;
  note?: string | undefined;
  children: ReactNode;
}

export function Section({ name, note, children }: SectionProps) {
  const { editor: words } = useOrganizeMessages().pages;
  const id = sectionId(name);
  return (
    <fieldset
      id={id}
      data-section={name}
      aria-labelledby={`${id}-title`}
      className={styles.section}
    >
      <div className={styles.title}>
        <h2 id={`${id}-title`} tabIndex={-1}>
          {wordFor(words.sections, name)}
        </h2>
        {note && <p>{note}</p>}
      </div>
      {children}
    </fieldset>
  );
}

interface LineFieldProps {
  name: TextName & Place;
  editing: Editing;
  isCode?: boolean;
}

export function LineField({ name, editing, isCode = false }: LineFieldProps) {
  const { editor: words } = useOrganizeMessages().pages;
  const { problems } = editing;
  const { values, set } = editing.draft;
  return (
    <div>
      <Field
        label={wordFor(words.labels, name)}
        hint={words.lineHints[name]}
        autoComplete="off"
        spellCheck={isCode ? false : undefined}
        className={isCode ? styles.code : undefined}
        value={values[name]}
        fault={faultAt(problems, name, words.labels)}
        onChange={(event) => set(name, event.currentTarget.value)}
      />
      <Problems of={problemsAt(problems, name)} warningsOnly />
      <Conflict name={name} editing={editing} />
    </div>
  );
}
