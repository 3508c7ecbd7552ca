/** Event settings, text previews and the test email. */
import { get, post } from "./organize";
import { LIVE_KEY } from "./organize-live";
import type { components } from "./schema";

/** Settings of the event, without secrets. */
export type Settings = components["schemas"]["SettingsAnswer"];

/** A custom page; its text is null if the event files define it. */
export type Page = components["schemas"]["ListedPage"];
export type TextPreview = components["schemas"]["TextPreview"];
export type ReadyAnswer = components["schemas"]["ReadyAnswer"];

type SettingRow = Readonly<Record<string, string | boolean | readonly string[]>>;
type SettingValue = string | number | boolean | null | readonly string[] | readonly SettingRow[];
/** Keys and values of an `event.toml` table; null removes a key. */
export type SettingValues = Readonly<Record<string, SettingValue>>;

/** Query cache key. */
export const SETTINGS_KEY = [...LIVE_KEY, "settings"] as const;

export const getSettings = () => get<Settings>("/settings");

export const getSignupCodes = () => get<components["schemas"]["SignupCodes"]>("/codes");

/** Sends a test email with unsaved `[mail]` values. */
export function postMailTest(to: string, values: SettingValues) {
  return post<components["schemas"]["MailTested"]>("/mail/test", { to, values });
}

/** Renders the rules or a page as players would see it. */
export function postTextPreview(text: string, page: string | undefined) {
  return post<TextPreview>("/texts/preview", { text, page });
}

/** Saved replies for questions. */
export async function getAnswers() {
  return (await get<components["schemas"]["ReadyAnswers"]>("/answers")).answers;
}
