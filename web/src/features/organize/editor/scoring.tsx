/** How a challenge's points are counted. */
import { useOrganizeMessages, wordFor } from "../../../messages/organize/words";
import { Field } from "../../../ui/field/field";
import { optionsOf, Select } from "../change/fields";
import { curveOf, type TextName } from "./form";
import type { PartProps } from "./parts";
import { faultAt, Problems, problemsAt } from "./problems";

const TYPES = ["standard", "dynamic", "speedrun"];

const CURVES: Readonly<Record<string, readonly TextName[]>> = {
  standard: ["value"],
  dynamic: ["initial", "minimum", "decay"],
  speedrun: ["values"],
};

export function ScoringPart({ draft, problems, extra }: PartProps & { extra: unknown }) {
  const { editor: words } = useOrganizeMessages().pages;
  const { values: form, set } = draft;
  const types = TYPES.includes(form.type) ? TYPES : [form.type, ...TYPES];
  const fields = CURVES[curveOf(form.type, extra)] ?? [];
  const fault = faultAt(problems, "scoring", words.labels);
  return (
    <fieldset className="org-part">
      <legend>{words.scoring}</legend>
      <div className="org-row">
        <Select
          label={words.type}
          value={form.type}
          options={optionsOf(words.types, types)}
          onChange={(type) => set("type", type)}
        />
        {fields.map((name) => (
          <Field
            key={name}
            label={wordFor(words.labels, name)}
            inputMode={name === "values" ? "text" : "numeric"}
            autoComplete="off"
            value={form[name]}
            aria-invalid={fault ? true : undefined}
            onChange={(event) => set(name, event.currentTarget.value)}
          />
        ))}
      </div>
      <p className="org-note">{wordFor(words.typeHints, curveOf(form.type, extra))}</p>
      <Problems of={problemsAt(problems, "scoring")} />
    </fieldset>
  );
}
