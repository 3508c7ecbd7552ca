/** Filters by difficulty and by tag. Nothing if no challenge has a label. */
import type { ChallengeView } from "../../addresses";
import { labelsOf } from "../../domain/find-challenges";
import { useMessages } from "../../messages/language";
import styles from "./finder.module.css";
import { useDifficulty } from "./labels";

interface ChoiceProps {
  label: string;
  value: string | undefined;
  options: readonly string[];
  text: (option: string) => string;
  onChange: (value: string | undefined) => void;
}

function Choice({ label, value, options, text, onChange }: ChoiceProps) {
  const { find: words } = useMessages();
  // An address can have a label that no challenge has any longer.
  const all = value === undefined || options.includes(value) ? options : [...options, value];
  if (all.length === 0) return null;
  return (
    <label className={styles.order}>
      <span>{label}</span>
      <select value={value ?? ""} onChange={(event) => onChange(event.target.value || undefined)}>
        <option value="">{words.shown.all}</option>
        {all.map((option) => (
          <option key={option} value={option}>
            {text(option)}
          </option>
        ))}
      </select>
    </label>
  );
}

interface LabelFilterProps {
  challenges: Parameters<typeof labelsOf>[0];
  view: ChallengeView;
  onChange: (part: Partial<ChallengeView>) => void;
}

export function LabelFilter({ challenges, view, onChange }: LabelFilterProps) {
  const { challenges: words } = useMessages();
  const text = useDifficulty();
  const { difficulties, tags } = labelsOf(challenges);
  return (
    <>
      <Choice
        label={words.difficulty}
        value={view.difficulty}
        options={difficulties}
        text={text}
        onChange={(difficulty) => onChange({ difficulty })}
      />
      <Choice
        label={words.tags}
        value={view.tag}
        options={tags}
        text={(tag) => tag}
        onChange={(tag) => onChange({ tag })}
      />
    </>
  );
}
