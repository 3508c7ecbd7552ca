/** Scoring settings of a challenge, with the points that they give. */
import { useOrganizeMessages, wordFor } from "../../../messages/organize/words";
import { Field } from "../../../ui/field/field";
import { optionsOf, Select } from "../change/fields";
import { Curve } from "./curve";
import { Conflict } from "./draft/conflict";
import type { Editing } from "./draft/use-editor";
import { curveOf, type TextName } from "./form";
import { faultAt, Problems, problemsAt } from "./problems";
import { Section } from "./section";
import styles from "./section.module.css";

const TYPES = ["standard", "dynamic", "speedrun"];

const CURVES: Readonly<Record<string, readonly TextName[]>> = {
  standard: ["value"],
  dynamic: ["initial", "minimum", "decay"],
  speedrun: ["values"],
};

const NAMES = ["type", "value", "initial", "minimum", "decay", "values"] as const;

export function ScoringPart({ editing, extra }: { editing: Editing; extra: unknown }) {
  const { editor: words } = useOrganizeMessages().pages;
  const { draft, problems, looked } = editing;
  const { values: form, set } = draft;
  const types = TYPES.includes(form.type) ? TYPES : [form.type, ...TYPES];
  const kind = curveOf(form.type, extra);
  const fault = faultAt(problems, "scoring", words.labels);
  return (
    <Section name="scoring">
      <div className={`${styles.row} ${styles.numbers}`}>
        <Select
          label={wordFor(words.labels, "type")}
          value={form.type}
          options={optionsOf(words.types, types)}
          onChange={(type) => set("type", type)}
        />
        {(CURVES[kind] ?? []).map((name) => (
          <Field
            key={name}
            label={wordFor(words.labels, name)}
            inputMode={name === "values" ? "text" : "numeric"}
            autoComplete="off"
            className={styles.code}
            value={form[name]}
            aria-invalid={fault ? true : undefined}
            onChange={(event) => set(name, event.currentTarget.value)}
          />
        ))}
        <p>{wordFor(words.typeHints, kind)}</p>
      </div>
      <Problems of={problemsAt(problems, "scoring")} />
      {NAMES.map((name) => (
        <Conflict key={name} name={name} editing={editing} />
      ))}
      <Curve values={looked.data?.card?.curve ?? []} isByPosition={kind === "speedrun"} />
    </Section>
  );
}
