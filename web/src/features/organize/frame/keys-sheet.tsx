/** The keys of the page that is open, and the switch that turns single letters off. */
import { useOrganizeMessages } from "../../../messages/organize/words";
import { Dialog } from "../../../ui/dialog/dialog";
import { useKeys } from "./keys";

export function KeysSheet({ onClose }: { onClose: () => void }) {
  const { keys: words, palette } = useOrganizeMessages().pages;
  const { isOn, turn, list } = useKeys();
  const rows = [
    ...list(),
    { key: "Enter", label: words.open },
    { key: "Ctrl Enter", label: words.send },
    { key: "Ctrl K", label: palette.key },
  ];
  return (
    <Dialog title={words.title} onClose={onClose}>
      <div className="org-stack">
        <label className="org-tick">
          <input
            type="checkbox"
            checked={isOn}
            onChange={(event) => turn(event.currentTarget.checked)}
          />
          <span>
            {words.letters}
            <br />
            <span className="org-note">{words.lettersNote}</span>
          </span>
        </label>
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
