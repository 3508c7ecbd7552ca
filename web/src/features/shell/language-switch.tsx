/** The languages by their own names; the one that is spoken is pressed. */
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
  const speak = (next: Language) => {
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
            onClick={() => speak(code)}
          >
            {LANGUAGES[code]}
          </button>
        </li>
      ))}
    </ul>
  );
}
