/**
 * The language of the interface: the one the user chose, else the first supported one of the
 * browser's languages, else English. English is in the main bundle; other languages are fetched.
 */
import {
  createContext,
  type ReactNode,
  useContext,
  useLayoutEffect,
  useMemo,
  useState,
} from "react";
import { en, type Messages } from "./en";
import { type MessageFile, messagesOf } from "./translate";

/**
 * Every language by its code, with its own name. A new language needs a name here and a file in
 * `icu`.
 */
export const LANGUAGES = {
  de: "Deutsch",
  en: "English",
  es: "Español",
  fr: "Français",
  it: "Italiano",
  pl: "Polski",
  pt: "Português",
  ar: "العربية",
  zh: "简体中文",
  ja: "日本語",
} as const;
export const RIGHT_TO_LEFT: ReadonlySet<string> = new Set(["ar"]);
/** Matches traditional Chinese, which counts as another language. */
const OTHER_SCRIPT = /^zh-(hant|tw|hk|mo)\b/;

/** The compiled message files. A language is fetched when it is selected. */
const files = import.meta.glob<{ messages: MessageFile }>("./icu/*.json");
export type Language = keyof typeof LANGUAGES;

/** A language and its messages. */
export interface LoadedLanguage {
  readonly language: Language;
  readonly messages: Messages;
}
const ENGLISH: LoadedLanguage = { language: "en", messages: en };
const STORAGE_KEY = "language";

export function isLanguage(code: string): code is Language {
  return Object.hasOwn(LANGUAGES, code);
}

function languageOf(tag: string | null): Language | undefined {
  const lower = tag?.toLowerCase() ?? "";
  const [code = ""] = lower.split("-", 1);
  return isLanguage(code) && !OTHER_SCRIPT.test(lower) ? code : undefined;
}

function storedLanguage(): string | null {
  try {
    return localStorage.getItem(STORAGE_KEY);
  } catch {
    return null; // storage is forbidden here: the browser's languages decide
  }
}

function storeLanguage(language: Language): void {
  try {
    localStorage.setItem(STORAGE_KEY, language);
  } catch {
    // storage is forbidden here: the choice lasts until the page is closed
  }
}

function preferredLanguage(): Language {
  const tags = [storedLanguage(), ...navigator.languages];
  return tags.map(languageOf).find((language) => language !== undefined) ?? "en";
}

/** The language to start with; English if the preferred one does not load. */
export function initialLanguage(): Promise<LoadedLanguage> {
  return loadLanguage(preferredLanguage()).catch(() => ENGLISH);
}

/** Fetches a language's messages; rejects on failure. */
async function loadLanguage(language: Language): Promise<LoadedLanguage> {
  if (language === "en") return ENGLISH;
  if (language === "it") return { language, messages: (await import("./it")).it };
  const load = files[`./icu/${language}.json`];
  if (!load) throw new Error(`no message file for ${language}`);
  return { language, messages: messagesOf((await load()).messages) };
}

interface LanguageChoice {
  readonly language: Language;
  /** Switches the language and stores the choice; rejects when its messages do not load. */
  choose(language: Language): Promise<void>;
}

const MessagesContext = createContext<Messages>(en);
const ChoiceContext = createContext<LanguageChoice>({ language: "en", choose: async () => {} });

/** Provides `initial` until another language is chosen; updates `<html lang dir>`. */
export function LanguageProvider(props: {
  initial?: LoadedLanguage | undefined;
  children: ReactNode;
}) {
  const [{ language, messages }, setLoaded] = useState(props.initial ?? ENGLISH);
  // The direction changes together with the texts, not a frame later.
  useLayoutEffect(() => {
    document.documentElement.lang = language;
    document.documentElement.dir = RIGHT_TO_LEFT.has(language) ? "rtl" : "ltr";
  }, [language]);
  const choice = useMemo(
    () => ({
      language,
      async choose(next: Language) {
        setLoaded(await loadLanguage(next));
        storeLanguage(next);
      },
    }),
    [language],
  );
  return (
    <ChoiceContext value={choice}>
      <MessagesContext value={messages}>{props.children}</MessagesContext>
    </ChoiceContext>
  );
}

/** The texts of the interface in the current language. */
export function useMessages(): Messages {
  return useContext(MessagesContext);
}

/** The current language, and a function that changes it. */
export function useLanguage(): LanguageChoice {
  return useContext(ChoiceContext);
}
