/** A button for each language, under its own name; the current one is pressed. */
import { failureOf } from "../../api/client";
import { LANGUAGES, type Language, useLanguage, useMessages } from "../../messages/language";
import { ChunkError } from "../../ui/chunk/chunk";
import { useNotify } from "../../ui/notification/notification";
import styles from "./shell.module.css";

const CODES: readonly Language[] = ["en", "it"];

export function LanguageSwitch() {
  const { language, choose } = useLanguage();
  const { navigation } = useMessages();
  const { notify } = useNotify();
  const onChoose = (next: Language) => {
    choose(next).catch((cause: unknown) => notify("error", failureOf(new ChunkError(next, cause))));
  };
  return (
    <ul className={styles.languages} aria-label={navigation.language}>
      {CODES.map((code) => (
        <li key={code}>
          <button
            type="button"
            lang={code}
            aria-pressed={code === language}
            onClick={() => onChoose(code)}
          >
            {LANGUAGES[code]}
          </button>
        </li>
      ))}
    </ul>
  );
}
