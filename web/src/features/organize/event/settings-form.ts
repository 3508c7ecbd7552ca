/** The parts of the forms of registration, limits and privacy, and their keys. Pure. */
import type { Settings, SettingValues } from "../../../api/organize-settings";
import { isRecord, textOr, texts } from "../../../api/unknown";
import { textOfPart, type Value, type Values } from "../forms/values";

export interface SettingPart {
  readonly key: string;
  readonly kind: "tick" | "text" | "number" | "list";
  /** Of a number. */
  readonly least: number;
  readonly most: number;
  /** Of a tick that stands for two words: without and with it. */
  readonly words?: readonly [string, string];
}

const part = (kind: SettingPart["kind"], key: string, least = 0, most = 0): SettingPart => {
  return { key, kind, least, most };
};

/** The most that a budget can be. */
const BUDGET_MAX = 1_000_000;
const budget = (key: string) => part("number", key, 0, BUDGET_MAX);

export const SECTIONS = ["registration", "limits", "privacy"] as const;
export type Section = (typeof SECTIONS)[number];

export const PARTS: Readonly<Record<Section, readonly SettingPart[]>> = {
  registration: [
    part("tick", "open"),
    part("tick", "confirm_email"),
    part("tick", "refuse_common_passwords"),
    part("tick", "local_addresses"),
    part("number", "password_min", 1, 128),
    part("number", "members_max", 0, 20),
    part("text", "student_label"),
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

function shownOf({ kind, words }: SettingPart, value: unknown): Value {
  switch (kind) {
    case "tick":
      return value === (words?.[1] ?? true);
    case "list":
      return texts(value).join("\n");
    case "number":
      return typeof value === "number" ? String(value) : "";
    case "text":
      return textOr(value, "");
  }
}

export function nowOf(section: Section, { sections }: Settings): Values {
  const set = sections[section];
  const value = (key: string) => (isRecord(set) ? set[key] : undefined);
  return Object.fromEntries(PARTS[section].map((one) => [one.key, shownOf(one, value(one.key))]));
}

/** Whether a part cannot be what is typed: a number that is none, or out of its range. */
export function isWrong({ kind, least, most }: SettingPart, value: Value | undefined): boolean {
  const text = textOfPart(value).trim();
  if (kind !== "number" || text === "") return false;
  return !/^\d{1,9}$/.test(text) || Number(text) < least || Number(text) > most;
}

function settingOf({ kind, words }: SettingPart, value: Value | undefined): SettingValues[string] {
  if (kind === "tick" && words) return words[value === true ? 1 : 0];
  if (kind === "tick") return value === true;
  const text = textOfPart(value).trim();
  if (kind === "list") {
    const lines = text.split("\n").map((line) => line.trim());
    return lines.filter((line) => line !== "");
  }
  if (text === "") return null;
  return kind === "number" ? Number(text) : text;
}

/** The keys of a section for the changed parts; null if one of them is wrong. */
export function settingsOf(
  section: Section,
  values: Values,
  changed: readonly string[],
): SettingValues | null {
  const parts = PARTS[section].filter(({ key }) => changed.includes(key));
  if (parts.some((one) => isWrong(one, values[one.key]))) return null;
  return Object.fromEntries(parts.map((one) => [one.key, settingOf(one, values[one.key])]));
}
