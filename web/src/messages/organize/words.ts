/** Messages of the organizer pages, in English and Italian. */
import { use, useCallback, useDeferredValue } from "react";
import type { Sentence } from "../en";
import { useLanguage, useMessages } from "../language";
import { type OrganizeMessages, organizeEn } from "./en";

/** The Italian messages; English if they do not load, as on the player pages. */
let italian: Promise<OrganizeMessages> | undefined;

async function loadItalian(): Promise<OrganizeMessages> {
  try {
    return (await import("./it")).organizeIt;
  } catch {
    return organizeEn;
  }
}

/**
 * Suspends until the first language has loaded. A switch keeps the previous texts until then.
 * Every Italian render calls `use`, because React replays a render that suspended.
 */
export function useOrganizeMessages(): OrganizeMessages {
  const language = useDeferredValue(useLanguage().language);
  if (language !== "it") return organizeEn;
  italian ??= loadItalian();
  return use(italian);
}

function entry(words: Readonly<Record<string, string>>, key: string): string | undefined {
  return Object.hasOwn(words, key) ? words[key] : undefined;
}

/** Text for a server name, or the name itself. */
export function wordFor(words: Readonly<Record<string, string>>, name: string): string {
  return entry(words, name) ?? name;
}

/** Translates an error by its code, first from the organizer texts, then from the site texts. */
export function useTranslate(): (sentence: Sentence) => string {
  const { errors } = useOrganizeMessages();
  const { translate } = useMessages();
  return useCallback(
    (sentence) => entry(errors, sentence.code ?? "") ?? translate(sentence),
    [errors, translate],
  );
}
