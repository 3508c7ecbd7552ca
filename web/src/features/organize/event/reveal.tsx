/** When the final scoreboard is shown: at the end by itself, or by an organizer at the ceremony. */
import { useState } from "react";
import { useOrganizeMessages, wordFor } from "../../../messages/organize/words";
import { useAsk } from "../change/acting";
import { Select } from "../change/fields";
import { useMay, useOverview, useSettings } from "../frame/reading";

/** The modes of a reveal, the usual one first. */
const MODES = ["auto", "manual"] as const;

interface ModeProps {
  mode: string;
  onChange: (mode: string) => void;
}

/** A choice of the mode, with its meaning. */
export function RevealMode({ mode, onChange }: ModeProps) {
  const { reveal: words } = useOrganizeMessages().console;
  return (
    <div>
      <Select label={words.title} value={mode} onChange={onChange}>
        {MODES.map((one) => (
          <option key={one} value={one}>
            {wordFor(words.modes, one)}
          </option>
        ))}
      </Select>
      <p className="org-note">{wordFor(words.notes, mode)}</p>
    </div>
  );
}

/** The mode of the event, and the button that opens the dialog for another one. */
export function RevealChoice() {
  const { reveal: words } = useOrganizeMessages().console;
  const ask = useAsk();
  const may = useMay();
  const event = useSettings().data?.event;
  const isOver = useOverview().data?.status === "ended";
  const [chosen, choose] = useState<string | null>(null);
  // After the end another mode would reveal at once, which has its own button.
  if (!event || isOver || !may("event.name")) return null;
  const { reveal: now, name } = event;
  const mode = chosen ?? now;
  const lines = [words.becomes(wordFor(words.modes, now), wordFor(words.modes, mode))];
  const change = () => {
    const onDone = () => choose(null);
    const fixed = { reveal: mode };
    ask({ kind: "action", action: "event.name", fixed, object: words.of(name), lines, onDone });
  };
  return (
    <div className="org-reveal">
      <RevealMode mode={mode} onChange={choose} />
      {mode !== now && (
        <button type="button" onClick={change}>
          {words.change}
        </button>
      )}
    </div>
  );
}
