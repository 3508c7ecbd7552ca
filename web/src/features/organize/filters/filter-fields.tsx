/** Fields of filters: a text, and a period that ends now or has a start and an end. */
import { useEffect, useId, useState } from "react";
import { useOrganizeMessages } from "../../../messages/organize/words";
import { changeView, useView } from "../frame/view";
import styles from "./filter-line.module.css";
import { type Filter, lengthOf } from "./filters";

/** Time without a keystroke after which a typed text filters. */
const STILL_MS = 250;

/** Text of a query parameter, which follows the typed text. */
export function useTypedParameter(name: string) {
  const inAddress = useView()(name);
  const [text, setText] = useState(inAddress);
  const [known, setKnown] = useState(inAddress);
  // A link or Back changed the address.
  if (inAddress !== known) {
    setKnown(inAddress);
    setText(inAddress);
  }
  useEffect(() => {
    if (text === inAddress) return;
    const timer = setTimeout(() => changeView({ [name]: text }, { replace: true }), STILL_MS);
    return () => clearTimeout(timer);
  }, [text, inAddress, name]);
  const apply = () => text !== inAddress && changeView({ [name]: text }, { replace: true });
  return { text, setText, apply };
}

interface TextFieldProps {
  name: string;
  label: string;
  type?: "text" | "datetime-local";
  onDone?: (() => void) | undefined;
}

function TextField({ name, label, type = "text", onDone }: TextFieldProps) {
  const id = useId();
  const { text, setText, apply } = useTypedParameter(name);
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        type={type}
        value={text}
        autoComplete="off"
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== "Enter" || event.nativeEvent.isComposing || !onDone) return;
          apply();
          onDone();
        }}
      />
    </div>
  );
}

/** Lengths of a period that ends now. */
const LENGTHS = ["10m", "1h", "6h", "1d"];

interface FieldsProps {
  /** Called when a value was chosen; undefined if the fields stay open. */
  onDone?: (() => void) | undefined;
}

function PeriodFields({ onDone }: FieldsProps) {
  const { filters: words, pages } = useOrganizeMessages();
  const { submissions } = pages;
  const since = useView()("since");
  function choose(length: string) {
    const next = length === since ? undefined : length;
    changeView({ since: next, from: undefined, until: undefined }, { replace: true });
    onDone?.();
  }
  return (
    <>
      <div className={styles.lengths}>
        {LENGTHS.map((length) => {
          const parsed = lengthOf(length);
          return (
            <button
              key={length}
              type="button"
              aria-pressed={length === since}
              onClick={() => choose(length)}
            >
              {parsed && words.last(parsed.count, parsed.unit)}
            </button>
          );
        })}
      </div>
      <TextField name="from" label={submissions.from} type="datetime-local" onDone={onDone} />
      <TextField name="until" label={submissions.until} type="datetime-local" onDone={onDone} />
    </>
  );
}

/** Fields of a text or a period. */
export function FilterFields({ filter, onDone }: FieldsProps & { filter: Filter }) {
  if (filter.kind === "period") return <PeriodFields onDone={onDone} />;
  return <TextField name={filter.name} label={filter.label} onDone={onDone} />;
}
