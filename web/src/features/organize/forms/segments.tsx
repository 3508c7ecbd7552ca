/** A choice of few words, shown side by side. Native radio buttons, so the arrow keys choose. */
import { useId } from "react";
import styles from "../event/event.module.css";

interface SegmentsProps {
  label: string;
  value: string;
  options: readonly (readonly [value: string, text: string])[];
  onChange: (value: string) => void;
}

export function Segments({ label, value, options, onChange }: SegmentsProps) {
  const name = useId();
  return (
    <fieldset className={styles.segments} aria-label={label}>
      {options.map(([one, text]) => (
        <label key={one}>
          <input
            type="radio"
            name={name}
            value={one}
            checked={one === value}
            onChange={() => onChange(one)}
          />
          {text}
        </label>
      ))}
    </fieldset>
  );
}
