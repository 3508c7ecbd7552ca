/** The texts of the organizers' pages, which speak English and Italian. */
import { use, useCallback, useDeferredValue } from "react";
import type { Sentence } from "../en";
import { useLanguage, useMessages } from "../language";
import { type OrganizeMessages, organizeEn } from "./en";

/** Italian once it has loaded; English if it does not load, as for the site. */
let italian: OrganizeMessages | undefined;
let loading: Promise<OrganizeMessages> | undefined;

async function loadItalian(): Promise<OrganizeMessages> {
  italian = await import("./it").then(
    ({ organizeIt }) => organizeIt,
    () => organizeEn,
  );
  return italian;
}

/**
 * Suspends until the first language has loaded; after a switch, the texts before stay meanwhile.
 */
export function useOrganizeMessages(): OrganizeMessages {
  const language = useDeferredValue(useLanguage().language);
  if (language !== "it") return organizeEn;
  if (italian) return italian;
  loading ??= loadItalian();
  return use(loading);
}

function entry(words: Readonly<Record<string, string>>, key: string): string | undefined {
  return Object.hasOwn(words, key) ? words[key] : undefined;
}

/** The word for a name of the server, or the name itself. */
export function wordFor(words: Readonly<Record<string, string>>, name: string): string {
  return entry(words, name) ?? name;
}

/** Translates a failure by its code, as the organizers' texts or the whole site's know it. */
export function useTranslate(): (sentence: Sentence) => string {
  const { errors } = useOrganizeMessages();
  const { translate } = useMessages();
  return useCallback(
    (sentence) => entry(errors, sentence.code ?? "") ?? translate(sentence),
    [errors, translate],
  );
}
