/** The first screen: the event's name, and the number of sealed solves. */
import type { Ceremony } from "../../../api/organize-ceremony";
import { useOrganizeMessages } from "../../../messages/organize/words";
import styles from "./opening.module.css";
import { divisionOf, type Script } from "./script";

export function Opening({ ceremony, script }: { ceremony: Ceremony; script: Script }) {
  const { opening: words } = useOrganizeMessages().ceremony;
  const division = divisionOf(ceremony, script.scope);
  const sealed = script.frozen.reduce((sum, { left }) => sum + left, 0);
  return (
    <div className={styles.opening}>
      <p className={styles.event}>
        <bdi>{ceremony.name}</bdi>
      </p>
      <h1>{words.title}</h1>
      <p className={styles.sealed}>
        {script.scope === "students" && <strong>{words.students}</strong>}
        {division && (
          <strong>
            <bdi>{division.name}</bdi>
          </strong>
        )}
        {sealed > 0 && <span>{words.sealed(sealed)}</span>}
      </p>
      <p className={styles.hint} aria-hidden="true">
        <kbd>{words.hint}</kbd>
      </p>
    </div>
  );
}
