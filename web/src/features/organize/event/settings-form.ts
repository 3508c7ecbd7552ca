/** Fields of the registration, limits and privacy forms, and their keys. Pure. */
import type { Settings, SettingValues } from "../../../api/organize-settings";
import { isRecord, textOr, texts } from "../../../api/unknown";
import { type Row, rowsOfPart, textOfPart, type Value, type Values } from "../forms/values";

export interface SettingPart {
  readonly key: string;
  readonly kind: "tick" | "text" | "number" | "list" | "time" | "choice" | "fields";
  /** Minimum of a number. */
  readonly least: number;
  readonly most: number;
  /** Values of a checkbox that stands for two words: unchecked, checked. */
  readonly words?: readonly [string, string];
  /** Values of a choice, the default first. */
  readonly choices?: readonly string[];
}

const part = (kind: SettingPart["kind"], key: string, least = 0, most = 0): SettingPart => {
  return { key, kind, least, most };
};

/** Maximum of a rate limit. */
const BUDGET_MAX = 1_000_000;
const budget = (key: string) => part("number", key, 0, BUDGET_MAX);

/** ID of the list of signup codes on the page. */
export const CODES = "codes";
/** ID of the list of divisions. */
export const DIVISIONS = "divisions";

export const SECTIONS = ["registration", "limits", "privacy"] as const;
export type Section = (typeof SECTIONS)[number];

export const PARTS: Readonly<Record<Section, readonly SettingPart[]>> = {
  registration: [
    part("tick", "open"),
    part("time", "opens"),
    part("time", "closes"),
    part("number", "max_teams", 0, 1_000_000),
    part("tick", "waiting_list"),
    part("list", "email_domains"),
    { ...part("choice", "codes"), choices: ["none", "optional", "required"] },
    part("tick", "confirm_email"),
    part("tick", "refuse_common_passwords"),
    part("tick", "local_addresses"),
    part("number", "password_min", 1, 128),
    part("number", "members_max", 0, 20),
    part("text", "student_label"),
    part("fields", "fields"),
    part("list", "reserved_names"),
  ],
  limits: [
    budget("submissions_per_challenge_per_10_s"),
    budget("submissions_per_team_per_minute"),
    budget("signups_per_network_per_hour"),
    budget("failed_logins_per_team_per_minute"),
    budget("mails_per_address_per_hour"),
    budget("mails_per_hour"),
    part("list", "trusted_networks"),
    part("list", "trusted_proxies"),
  ],
  privacy: [
    part("number", "sightings_days", 0, 3650),
    { ...part("tick", "keep_wrong_texts"), words: ["never", "until_end"] },
  ],
};

interface SettingGroup {
  readonly name: string;
  readonly keys: readonly string[];
  /** True for short fields, which are side by side. */
  readonly isPair?: boolean;
}

/** Order of the fields, in groups with a title. */
export const GROUPS: Readonly<Record<Section, readonly SettingGroup[]>> = {
  registration: [
    { name: "signup", keys: ["open", "opens", "closes", "codes", "student_label"] },
    { name: "places", keys: ["max_teams", "waiting_list"] },
    { name: "addresses", keys: ["confirm_email", "email_domains", "local_addresses"] },
    { name: "passwords", keys: ["password_min", "refuse_common_passwords"] },
    { name: "names", keys: ["members_max", "reserved_names"] },
    { name: "questions", keys: ["fields"] },
  ],
  limits: [
    {
      name: "flags",
      keys: ["submissions_per_challenge_per_10_s", "submissions_per_team_per_minute"],
      isPair: true,
    },
    {
      name: "accounts",
      keys: ["signups_per_network_per_hour", "failed_logins_per_team_per_minute"],
      isPair: true,
    },
    { name: "mails", keys: ["mails_per_address_per_hour", "mails_per_hour"], isPair: true },
    { name: "networks", keys: ["trusted_networks", "trusted_proxies"] },
  ],
  privacy: [{ name: "kept", keys: ["sightings_days", "keep_wrong_texts"] }],
};

/** Field with a key of the section. */
export function partOf(section: Section, key: string): SettingPart {
  return PARTS[section].find((one) => one.key === key) ?? part("text", key);
}

/** A question of the signup form as a row of texts. */
function rowOf({ id, label, type, choices, required }: Readonly<Record<string, unknown>>): Row {
  return {
    ...{ id: textOr(id, ""), label: textOr(label, ""), type: textOr(type, "text") },
    ...{ choices: texts(choices).join("; "), required: required === true ? "yes" : "" },
  };
}

/** The questions of the signup form as rows of texts. */
export function rowsOf(questions: unknown): readonly Row[] {
  return Array.isArray(questions) ? questions.filter(isRecord).map(rowOf) : [];
}

function questionOf({ id = "", label = "", type = "text", choices = "", required }: Row) {
  const listed = choices.split(";").map((one) => one.trim());
  return {
    ...{ id: id.trim(), label: label.trim(), type, required: required === "yes" },
    ...(type === "choice" && { choices: listed.filter((one) => one !== "") }),
  };
}

/** The questions of rows of texts. */
export function questionsOf(rows: readonly Row[]) {
  return rows.map(questionOf);
}

function shownOf({ kind, words, choices }: SettingPart, value: unknown): Value {
  switch (kind) {
    case "tick":
      return value === (words?.[1] ?? true);
    case "list":
      return texts(value).join("\n");
    case "number":
      return typeof value === "number" ? String(value) : "";
    case "time":
      return typeof value === "number" ? new Date(value).toISOString() : "";
    case "choice":
      return textOr(value, choices?.[0] ?? "");
    case "fields":
      return rowsOf(value);
    case "text":
      return textOr(value, "");
  }
}

export function nowOf(section: Section, { sections }: Settings): Values {
  const set = sections[section];
  const value = (key: string) => (isRecord(set) ? set[key] : undefined);
  return Object.fromEntries(PARTS[section].map((one) => [one.key, shownOf(one, value(one.key))]));
}

/** True if a field's value is not a number or out of range. */
export function isWrong({ kind, least, most }: SettingPart, value: Value | undefined): boolean {
  const text = textOfPart(value).trim();
  if (kind !== "number" || text === "") return false;
  return !/^\d{1,9}$/.test(text) || Number(text) < least || Number(text) > most;
}

function settingOf({ kind, words }: SettingPart, value: Value | undefined): SettingValues[string] {
  if (kind === "tick" && words) return words[value === true ? 1 : 0];
  if (kind === "tick") return value === true;
  if (kind === "fields") return questionsOf(rowsOfPart(value));
  const text = textOfPart(value).trim();
  if (kind === "list") {
    const lines = text.split("\n").map((line) => line.trim());
    return lines.filter((line) => line !== "");
  }
  if (text === "") return null;
  return kind === "number" ? Number(text) : text;
}

/** Keys of a section for the changed fields; null if one is invalid. */
export function settingsOf(
  section: Section,
  values: Values,
  changed: readonly string[],
): SettingValues | null {
  const parts = PARTS[section].filter(({ key }) => changed.includes(key));
  if (parts.some((one) => isWrong(one, values[one.key]))) return null;
  return Object.fromEntries(parts.map((one) => [one.key, settingOf(one, values[one.key])]));
}
