/** Registration, limits and privacy forms. Values set in the event files are read-only. */
import { useOrganizeMessages, wordFor } from "../../../messages/organize/words";
import { Field } from "../../../ui/field/field";
import { LongField, Select, Tick } from "../change/fields";
import { type OfSettings, SetFormFrame, useSetForm, WithSettings } from "../forms/form";
import { Group, Layout } from "../forms/layout";
import { rowsOfPart, textOfPart, type Value } from "../forms/values";
import { useDivisions, useMay } from "../frame/queries";
import { SETUP } from "../pages";
import { stepsFor } from "../setup/steps";
import { TimeField } from "../time-field";
import { SignupCodes } from "./codes";
import { Divisions } from "./divisions";
import styles from "./event.module.css";
import {
  CODES,
  DIVISIONS,
  GROUPS,
  isWrong,
  nowOf,
  partOf,
  SECTIONS,
  type Section,
  type SettingPart,
  settingsOf,
} from "./settings-form";
import { SignupFields } from "./signup-fields";

interface PartProps {
  part: SettingPart;
  value: Value | undefined;
  /** True if the event files set the value, or the role cannot change it. */
  isFixed: boolean;
  isShown: boolean;
  onChange: (value: Value) => void;
}

function Part({ part, value, isFixed, isShown, onChange }: PartProps) {
  const { forms: words } = useOrganizeMessages().pages;
  const { key, kind, least, most } = part;
  const label = wordFor(words.labels, key);
  const hint = isFixed ? words.fixed : words.hints[key];
  const readOnly = isFixed || isShown;
  switch (kind) {
    case "tick":
      return (
        <div className={styles.tick}>
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
    case "choice":
      return (
        <div>
          <Select
            label={label}
            value={textOfPart(value)}
            options={(part.choices ?? []).map((one) => [one, wordFor(words.choices, one)])}
            disabled={readOnly}
            onChange={onChange}
          />
          {hint && <p className="org-note">{hint}</p>}
        </div>
      );
    case "fields":
      return (
        <SignupFields
          label={label}
          hint={hint}
          rows={rowsOfPart(value)}
          readOnly={readOnly}
          onChange={onChange}
        />
      );
    case "time":
      return (
        <TimeField
          label={label}
          hint={hint}
          value={textOfPart(value)}
          readOnly={readOnly}
          onChange={onChange}
        />
      );
    default:
      return (
        <div className={kind === "number" ? styles.number : undefined}>
          <Field
            announced
            label={label}
            hint={hint}
            fault={isWrong(part, value) ? words.number(least, most) : null}
            inputMode={kind === "number" ? "numeric" : undefined}
            autoComplete="off"
            maxLength={500}
            readOnly={readOnly}
            value={textOfPart(value)}
            onChange={(event) => onChange(event.currentTarget.value)}
          />
        </div>
      );
  }
}

function SectionForm({ section, settings, readSettings }: OfSettings & { section: Section }) {
  const { forms: words } = useOrganizeMessages().pages;
  const { groups } = useOrganizeMessages().manage;
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
      section={section}
      title={title}
      note={isShown ? `${note} ${words.owners}` : note}
      isShown={isShown}
    >
      {GROUPS[section].map(({ name, keys, isPair }) => (
        <Group
          key={name}
          title={groups[name]?.[0] ?? name}
          note={groups[name]?.[1]}
          isPair={isPair}
        >
          {keys
            .map((key) => partOf(section, key))
            .map((part) => (
              <Part
                key={part.key}
                part={part}
                value={values[part.key]}
                isFixed={settings.fixed[section]?.includes(part.key) ?? false}
                isShown={isShown}
                onChange={(value) => set(part.key, value)}
              />
            ))}
        </Group>
      ))}
    </SetFormFrame>
  );
}

const MORE = "more";

/** Links to the setup steps, which save the settings that have no form here. */
function MoreSettings() {
  const { setup, manage: words } = useOrganizeMessages();
  const may = useMay();
  return (
    <section id={MORE} aria-labelledby={`${MORE}-title`} className={styles.more}>
      <h2 id={`${MORE}-title`} tabIndex={-1}>
        {words.more}
      </h2>
      <p className="org-note">{words.moreNote}</p>
      <ul className={styles.lines}>
        {stepsFor(may).map((step) => (
          <li key={step}>
            <div>
              <strong>{setup[step].title}</strong>
              {"note" in setup[step] && typeof setup[step].note === "string" && (
                <p className="org-note">{setup[step].note}</p>
              )}
            </div>
            <a
              className="button"
              href={`${SETUP}?step=${step}`}
              aria-label={words.openStep(setup[step].title)}
            >
              {words.open}
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}

export default function SettingsTab() {
  const { forms: words } = useOrganizeMessages().pages;
  const { manage } = useOrganizeMessages();
  const hasDivisions = (useDivisions().data?.length ?? 0) > 0;
  const sections = SECTIONS.map((id) => ({ id, text: wordFor(words.sections, id) }));
  return (
    <WithSettings>
      {(of) => (
        <Layout
          sections={[
            ...sections,
            { id: CODES, text: manage.codes.title },
            ...(hasDivisions ? [{ id: DIVISIONS, text: manage.divisions.title }] : []),
            { id: MORE, text: manage.more },
          ]}
        >
          {SECTIONS.map((section) => (
            <SectionForm key={section} section={section} {...of} />
          ))}
          <SignupCodes />
          <Divisions />
          <MoreSettings />
        </Layout>
      )}
    </WithSettings>
  );
}
