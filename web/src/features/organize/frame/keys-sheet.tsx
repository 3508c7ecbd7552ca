/** Keyboard shortcuts of the current page, and the switch for single-key shortcuts. */
import { useOrganizeMessages } from "../../../messages/organize/words";
import { Dialog } from "../../../ui/dialog/dialog";
import { Tick } from "../change/fields";
import { offeredShortcuts, turnLetterKeys, useLetterKeys } from "./keys";

export function KeysSheet({ onClose }: { onClose: () => void }) {
  const { keys: words, palette } = useOrganizeMessages().pages;
  const isOn = useLetterKeys();
  const rows = [
    ...offeredShortcuts(),
    { key: "Enter", label: words.open },
    { key: "Ctrl Enter", label: words.send },
    { key: "Ctrl K", label: palette.key },
  ];
  return (
    <Dialog title={words.title} onClose={onClose}>
      <div className="org-stack">
        <Tick
          label={
            <span>
              {words.letters}
              <br />
              <span className="org-note">{words.lettersNote}</span>
            </span>
          }
          on={isOn}
          onChange={turnLetterKeys}
        />
        <dl className="org-keys">
          {rows.map(({ key, label }) => (
            <div key={key}>
              <dt>
                {key.split(" ").map((part) => (
                  <kbd key={part}>{part}</kbd>
                ))}
              </dt>
              <dd>{label}</dd>
            </div>
          ))}
        </dl>
      </div>
    </Dialog>
  );
}
