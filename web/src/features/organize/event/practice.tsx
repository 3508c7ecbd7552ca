/** Practice after the end: its state, and the button that changes it. */
import { useOrganizeMessages } from "../../../messages/organize/words";
import { useOpenAction } from "../change/action-dialog";
import { useMay, useSettings } from "../frame/queries";
import styles from "./times/times.module.css";

export function PracticeChoice() {
  const { practice: words } = useOrganizeMessages().console;
  const ask = useOpenAction();
  const may = useMay();
  const event = useSettings().data?.event;
  if (!event || !may("event.name")) return null;
  const { practice, name } = event;
  const now = practice ? "on" : "off";
  const next = practice ? "off" : "on";
  const lines = [words.becomes(words.states[now], words.states[next])];
  const change = () =>
    ask({
      action: "event.name",
      fixed: { practice: !practice },
      object: words.of(name),
      lines,
    });
  return (
    <div className={styles.end}>
      <span className={styles.name}>{words.title}</span>
      <p className="org-note">{words.notes[now]}</p>
      <button type="button" onClick={change}>
        {practice ? words.turnOff : words.turnOn}
      </button>
    </div>
  );
}
