/** How the event is set: what organizers read of it, and a test mail. */
import { get, post } from "./organize";
import type { components } from "./schema";

/** What the event says, and how it is set. Nothing here is secret. */
export type Settings = components["schemas"]["SettingsAnswer"];

/** Keys of a table of `event.toml` with their values; null removes one. */
export type SettingValues = Readonly<Record<string, string | number | boolean | null>>;

/** The key of the query cache. */
export const SETTINGS_KEY = ["organize", "settings"] as const;

export const getSettings = () => get<Settings>("/settings");

/** Sends a test mail with the values of `[mail]` as they are typed. */
export function postMailTest(to: string, values: SettingValues) {
  return post<components["schemas"]["MailTested"]>("/mail/test", { to, values });
}
