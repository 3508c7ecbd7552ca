/** Registration, limits and privacy, each a form. What files set is shown and cannot be changed. */
import { useOrganizeMessages, wordFor } from "../../../messages/organize/words";
import { Field } from "../../../ui/field/field";
import { LongField, Tick } from "../change/fields";
import { type OfSettings, SetFormFrame, useSetForm, WithSettings } from "../forms/form";
import { textOfPart, type Value } from "../forms/values";
import { useMay } from "../frame/reading";
import {
  isWrong,
  nowOf,
  PARTS,
  SECTIONS,
  type Section,
  type SettingPart,
  settingsOf,
} from "./settings-form";

interface PartProps {
  part: SettingPart;
  value: Value | undefined;
  /** Files set it, or the role may not. */
  isFixed: boolean;
  isShown: boolean;
  onChange: (value: Value) => void;
}

function Part({ part, value, isFixed, isShown, onChange }: PartProps) {
  const { forms: words } = useOrganizeMessages().pages;
  const { key, kind, least, most } = part;
  const label = wordFor(words.labels, key);
  const hint = isFixed ? words.fixed : words.hints[key];
  const range = kind === "number" ? words.number(least, most) : undefined;
  const fault = isWrong(part, value) ? (range ?? null) : null;
  const readOnly = isFixed || isShown;
  switch (kind) {
    case "tick":
      return (
        <div>
          <Tick label={label} on={value === true} disabled={readOnly} onChange={onChange} />
          {hint && <p className="org-note">{hint}</p>}
        </div>
      );
    case "list":
      return (
        <LongField
          label={label}
          hint={hint}
          value={textOfPart(value)}
          readOnly={readOnly}
          maxLength={20_000}
          onChange={onChange}
        />
      );
    default:
      return (
        <Field
          announced
          label={label}
          hint={hint ?? range}
          fault={fault}
          inputMode={kind === "number" ? "numeric" : undefined}
          autoComplete="off"
          maxLength={500}
          readOnly={readOnly}
          value={textOfPart(value)}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      );
  }
}

function SectionForm({ section, settings, readSettings }: OfSettings & { section: Section }) {
  const { forms: words } = useOrganizeMessages().pages;
  const isShown = !useMay()("settings.set");
  const title = wordFor(words.sections, section);
  const note = wordFor(words.notes, section);
  const form = useSetForm({
    key: `form ${section}`,
    now: nowOf(section, settings),
    readNow: async () => nowOf(section, await readSettings()),
    action(typed, changed) {
      const values = settingsOf(section, typed, changed);
      return values && { action: "settings.set", fixed: { section, values }, object: title };
    },
  });
  const { values, set } = form.draft;
  return (
    <SetFormFrame
      form={form}
      action="settings.set"
      title={title}
      note={isShown ? `${note} ${words.owners}` : note}
      isShown={isShown}
    >
      {PARTS[section].map((part) => (
        <Part
          key={part.key}
          part={part}
          value={values[part.key]}
          isFixed={settings.fixed[section]?.includes(part.key) ?? false}
          isShown={isShown}
          onChange={(value) => set(part.key, value)}
        />
      ))}
    </SetFormFrame>
  );
}

export default function SettingsTab() {
  return (
    <WithSettings>
      {(of) => (
        <div className="org-bands">
          {SECTIONS.map((section) => (
            <SectionForm key={section} section={section} {...of} />
          ))}
        </div>
      )}
    </WithSettings>
  );
}
