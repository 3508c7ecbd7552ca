/** The keys of the stage, as presenters send them too. */
import { useOrganizeMessages } from "../../../messages/organize/words";
import styles from "./key-list.module.css";

export function KeyList() {
  const { keys } = useOrganizeMessages().ceremony;
  const rows = [
    [keys.nextKeys, keys.next],
    [keys.backKeys, keys.back],
    [keys.pagesKeys, keys.pages],
    [keys.fullKeys, keys.full],
    [keys.helpKeys, keys.help],
    [keys.leaveKeys, keys.leave],
  ] as const;
  return (
    <dl className={styles.keys}>
      {rows.map(([names, does]) => (
        <div key={does}>
          <dt>
            {names.map((name) => (
              <kbd key={name}>{name}</kbd>
            ))}
          </dt>
          <dd>{does}</dd>
        </div>
      ))}
    </dl>
  );
}
