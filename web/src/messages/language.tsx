/**
 * The language of the interface: what the person chose, else the first of the browser's languages
 * that we speak, else English. English is part of the site; another language is fetched.
 */
import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from "react";
import { en, type Messages } from "./en";

/** Every language by its code, with the name that it has for itself. */
export const LANGUAGES = { en: "English", it: "Italiano" } as const;
export type Language = keyof typeof LANGUAGES;

/** A language and its words. */
export interface Spoken {
  readonly language: Language;
  readonly messages: Messages;
}
const ENGLISH: Spoken = { language: "en", messages: en };
const STORAGE_KEY = "language";

function languageOf(tag: string | null): Language | undefined {
  const code = tag?.toLowerCase().split("-", 1)[0];
  return code === "en" || code === "it" ? code : undefined;
}

function chosenLanguage(): string | null {
  try {
    return localStorage.getItem(STORAGE_KEY);
  } catch {
    return null; // storage is forbidden here: the browser's languages decide
  }
}

function keepChosen(language: Language): void {
  try {
    localStorage.setItem(STORAGE_KEY, language);
  } catch {
    // storage is forbidden here: the choice lasts until the page is left
  }
}

function preferredLanguage(): Language {
  const tags = [chosenLanguage(), ...navigator.languages];
  return tags.map(languageOf).find((language) => language !== undefined) ?? "en";
}

/** What to speak first. A language whose words do not come is no reason to show nothing. */
export function firstLanguage(): Promise<Spoken> {
  return loadLanguage(preferredLanguage()).catch(() => ENGLISH);
}

/** Fetches a language's words; rejects when they do not come. */
async function loadLanguage(language: Language): Promise<Spoken> {
  if (language === "en") return ENGLISH;
  const { it } = await import("./it");
  return { language, messages: it };
}

interface LanguageChoice {
  readonly language: Language;
  /** Speaks it from now on, and at the next visit; rejects when its words do not come. */
  choose(language: Language): Promise<void>;
}

const MessagesContext = createContext<Messages>(en);
const ChoiceContext = createContext<LanguageChoice>({ language: "en", choose: async () => {} });

/** Speaks `initial` until another language is chosen; `<html lang>` follows. */
export function LanguageProvider(props: { initial?: Spoken | undefined; children: ReactNode }) {
  const [{ language, messages }, setSpoken] = useState(props.initial ?? ENGLISH);
  useEffect(() => {
    document.documentElement.lang = language;
  }, [language]);
  const choice = useMemo(
    () => ({
      language,
      async choose(next: Language) {
        setSpoken(await loadLanguage(next));
        keepChosen(next);
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

/** The words of the interface. */
export function useMessages(): Messages {
  return useContext(MessagesContext);
}

/** The language that is spoken, and how to change it. */
export function useLanguage(): LanguageChoice {
  return useContext(ChoiceContext);
}
