/** Translation of sentences from the server and the client. */
import type { Messages, Sentence } from "./en";

type Words = Readonly<Record<string, string>>;

interface Translations {
  /** The server's errors by code. */
  readonly errors: Words;
  /** Sentences without a code, by their English text. */
  readonly sentences: Words;
  chunkFailed(name: string): string;
}

function entry(words: Words, key: string): string | undefined {
  return Object.hasOwn(words, key) ? words[key] : undefined;
}

/** Looks up the code, then the sentence; unknown sentences stay in English. */
export function translator({ errors, sentences, chunkFailed }: Translations) {
  return ({ message, code = "" }: Sentence): string =>
    entry(errors, code) ??
    entry(sentences, message) ??
    message.replace(/^Loading chunk (\S+) failed$/, (_, name: string) => chunkFailed(name));
}

/** A compiled message file: the texts of a language and its translations of sentences. */
export type MessageFile = Omit<Messages, "translate"> & Translations;

/** The messages of a compiled file. */
export function messagesOf({ errors, sentences, chunkFailed, ...texts }: MessageFile): Messages {
  return { ...texts, translate: translator({ errors, sentences, chunkFailed }) };
}
