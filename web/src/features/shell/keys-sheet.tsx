/** The list of keyboard shortcuts, with the switch that turns them off. */
import { useId } from "react";
import { useMessages } from "../../messages/language";
import { Dialog } from "../../ui/dialog/dialog";
import { choosePreference, LETTER_KEYS, usePreference } from "../../ui/preference/preference";
import { useGoKeys } from "./keys";
import styles from "./keys-sheet.module.css";

interface Shortcut {
  /** Keys separated by spaces. */
  readonly key: string;
  readonly name: string;
}

function List({ title, shortcuts }: { title: string; shortcuts: readonly Shortcut[] }) {
  return (
    <section>
      <h3>{title}</h3>
      <dl>
        {shortcuts.map(({ key, name }) => (
          <div key={key}>
            <dt>
              {key.split(" ").map((part) => (
                <kbd key={part}>{part}</kbd>
              ))}
            </dt>
            <dd>{name}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

export default function KeysSheet({ onClose }: { onClose: () => void }) {
  const { keys: words, settings } = useMessages();
  const hint = useId();
  const isOn = usePreference(LETTER_KEYS) === "on";
  const here = [
    { key: "/", name: words.search },
    { key: "j k", name: words.move },
    { key: "Enter", name: words.open },
    { key: "o", name: words.file },
    { key: "Esc", name: words.close },
    { key: "?", name: words.sheet },
  ];
  return (
    <Dialog title={settings.keys} onClose={onClose}>
      <div className={styles.keys} data-off={!isOn}>
        <List title={words.go} shortcuts={useGoKeys()} />
        <List title={words.here} shortcuts={here} />
      </div>
      <label className={styles.switch}>
        <input
          type="checkbox"
          checked={isOn}
          aria-describedby={hint}
          onChange={({ target }) => choosePreference(LETTER_KEYS, target.checked ? "on" : "off")}
        />
        {words.letters}
      </label>
      <p id={hint} className={styles.hint}>
        {words.lettersHint}
      </p>
    </Dialog>
  );
}
