/** How the event is set: what organizers read of it, previews of texts, and a test mail. */
import { get, post } from "./organize";
import { LIVE_KEY } from "./organize-live";
import type { components } from "./schema";

/** What the event says, and how it is set. Nothing here is secret. */
export type Settings = components["schemas"]["SettingsAnswer"];

/** A page of the event's own; its text is null if it comes from files. */
export type Page = components["schemas"]["ListedPage"];
export type TextPreview = components["schemas"]["TextPreview"];
export type ReadyAnswer = components["schemas"]["ReadyAnswer"];

type SettingValue = string | number | boolean | null | readonly string[];
/** Keys of a table of `event.toml` with their values; null removes one. */
export type SettingValues = Readonly<Record<string, SettingValue>>;

/** The key of the query cache. */
export const SETTINGS_KEY = [...LIVE_KEY, "settings"] as const;

export const getSettings = () => get<Settings>("/settings");

/** Sends a test mail with the values of `[mail]` as they are typed. */
export function postMailTest(to: string, values: SettingValues) {
  return post<components["schemas"]["MailTested"]>("/mail/test", { to, values });
}

/** The rules, or the page of a name, as players would see them. */
export function postTextPreview(text: string, page: string | undefined) {
  return post<TextPreview>("/texts/preview", { text, page });
}

/** The answers that organizers have ready for questions. */
export async function getAnswers() {
  return (await get<components["schemas"]["ReadyAnswers"]>("/answers")).answers;
}
