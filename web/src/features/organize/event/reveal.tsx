/** When the final scoreboard is shown: at the end by itself, or by an organizer at the ceremony. */
import { useState } from "react";
import { useOrganizeMessages, wordFor } from "../../../messages/organize/words";
import { useAsk } from "../change/acting";
import { optionsOf, Select } from "../change/fields";
import { useMay, useOverview, useSettings } from "../frame/reading";

export function RevealMode({ mode, onChange }: { mode: string; onChange: (mode: string) => void }) {
  const { reveal: words } = useOrganizeMessages().console;
  return (
    <div>
      <Select
        label={words.title}
        value={mode}
        options={optionsOf(words.modes)}
        onChange={onChange}
      />
      <p className="org-note">{wordFor(words.notes, mode)}</p>
    </div>
  );
}

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
    ask({ action: "event.name", fixed, object: words.of(name), lines, onDone });
  };
  return (
    <div>
      <RevealMode mode={mode} onChange={choose} />
      {mode !== now && (
        <button type="button" onClick={change}>
          {words.change}
        </button>
      )}
    </div>
  );
}
