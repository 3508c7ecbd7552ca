/** Editor of the questions of the signup form: a row per question. */
import { useOrganizeMessages } from "../../../messages/organize/words";
import { Field } from "../../../ui/field/field";
import { Select, Tick } from "../change/fields";
import { Add, Rows } from "../editor/parts";
import type { Row } from "../forms/values";
import styles from "./event.module.css";

interface SignupFieldsProps {
  label: string;
  hint: string | undefined;
  rows: readonly Row[];
  readOnly: boolean;
  onChange: (rows: readonly Row[]) => void;
}

const TYPES = ["text", "choice", "consent"] as const;
const NEW: Row = { id: "", label: "", type: "text", choices: "", required: "" };

export function SignupFields({ label, hint, rows, readOnly, onChange }: SignupFieldsProps) {
  const { signupFields: words } = useOrganizeMessages().manage;
  return (
    <fieldset className={styles.questions} disabled={readOnly}>
      <legend className="visually-hidden">{label}</legend>
      {hint && <p className="org-note">{hint}</p>}
      <Rows of={rows} onChange={onChange} removeLabel={words.remove} isTall>
        {(row, number, change) => {
          const set = (name: string, value: string) => change({ ...row, [name]: value });
          const field = (name: string, text: (at: number) => string) => (
            <Field
              label={text(number)}
              autoComplete="off"
              maxLength={name === "id" ? 40 : 500}
              value={row[name] ?? ""}
              onChange={(event) => set(name, event.currentTarget.value)}
            />
          );
          return (
            <>
              {field("label", words.label)}
              {field("id", words.id)}
              <Select
                label={words.type(number)}
                value={row.type ?? "text"}
                options={TYPES.map((type) => [type, words.types[type]])}
                onChange={(type) => set("type", type)}
              />
              {row.type === "choice" && field("choices", words.choices)}
              <Tick
                label={words.required(number)}
                on={row.required === "yes"}
                onChange={(isOn) => set("required", isOn ? "yes" : "")}
              />
            </>
          );
        }}
      </Rows>
      <Add label={words.add} onAdd={() => onChange([...rows, NEW])} />
    </fieldset>
  );
}
