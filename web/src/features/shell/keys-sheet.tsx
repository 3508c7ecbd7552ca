/** The sheet of keys, with the switch for those of one character. */
import { useId } from "react";
import { useMessages } from "../../messages/language";
import { Dialog } from "../../ui/dialog/dialog";
import { choosePreference, LETTER_KEYS, usePreference } from "../../ui/preference/preference";
import styles from "./keys-sheet.module.css";

export default function KeysSheet({ onClose }: { onClose: () => void }) {
  const { keys: words, navigation, settings, search } = useMessages();
  const hint = useId();
  const isOn = usePreference(LETTER_KEYS) === "on";
  const letters: [key: string, does: string][] = [
    ["?", words.sheet],
    ["h", words.home],
    ["s", navigation.scoreboard],
    ["c", navigation.challenges],
    ["r", navigation.rules],
    ["/", words.onScoreboard(search.label)],
  ];
  return (
    <Dialog title={settings.keys} onClose={onClose}>
      <dl className={styles.keys} data-off={!isOn}>
        {letters.map(([key, does]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
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
