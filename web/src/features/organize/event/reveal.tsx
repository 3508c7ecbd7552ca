/** Time of the final scoreboard: automatically at the end, or by an organizer at the ceremony. */
import { useState } from "react";
import { useOrganizeMessages, wordFor } from "../../../messages/organize/words";
import { useOpenAction } from "../change/action-dialog";
import { optionsOf, Select } from "../change/fields";
import { Segments } from "../forms/segments";
import { useMay, useOverview, useSettings } from "../frame/queries";
import styles from "./times/times.module.css";

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

/** Switch beside the freeze: the result is shown at the end, or waits for the ceremony. */
export function RevealChoice() {
  const { reveal: words } = useOrganizeMessages().console;
  const { times } = useOrganizeMessages().manage;
  const ask = useOpenAction();
  const may = useMay();
  const event = useSettings().data?.event;
  const isOver = useOverview().data?.status === "ended";
  const [chosen, choose] = useState<string | null>(null);
  // After the end, a change of mode would reveal at once, for which there is a separate button.
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
    <div className={styles.end}>
      <span className={styles.name}>{words.title}</span>
      <Segments
        label={words.title}
        value={mode}
        options={optionsOf(times.modes)}
        onChange={choose}
      />
      <p className="org-note">{wordFor(words.notes, mode)}</p>
      {mode !== now && (
        <button type="button" className="button-primary" onClick={change}>
          {words.change}
        </button>
      )}
    </div>
  );
}
