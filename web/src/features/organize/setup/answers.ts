/** Answers of the setup, as texts by field. They are drafts, so they survive a reload. */
import { useState } from "react";
import { useDraft } from "../../../api/drafts";
import type { Settings, SettingValues } from "../../../api/organize-settings";
import { texts } from "../../../api/unknown";
import { clockTime, isZone, momentOf } from "../../../domain/zoned";
import type { SetupMessages } from "../../../messages/organize/setup-en";
import { useOrganizeMessages } from "../../../messages/organize/words";
import { rowsOf } from "../event/settings-form";
import { deviceZone } from "../time-field";
import { NO_SENDER, proposedTimes, SIGNUPS } from "./steps";

export type Answers = Readonly<Record<string, string>>;

export interface Draft {
  readonly values: Answers;
  set(name: string, value: string): void;
  discard(): void;
}

const HOUR_MS = 3_600_000;
type Section = Readonly<Record<string, unknown>>;

export function textOf(section: Section | undefined, key: string): string {
  const value = section?.[key];
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}

/** Time under a key, given in epoch milliseconds, as ISO 8601; empty if unset. */
function timeOf(section: Section | undefined, key: string): string {
  const ms = section?.[key];
  return typeof ms === "number" ? new Date(ms).toISOString() : "";
}

/** Values of a section whose keys are not set in the event files. */
export function unfixed(settings: Settings, section: string, values: SettingValues): SettingValues {
  const fixed = settings.fixed[section] ?? [];
  return Object.fromEntries(Object.entries(values).filter(([key]) => !fixed.includes(key)));
}

/** Answer to the question about the freeze, from the event's times. */
export function freezeMode(event: Settings["event"]): "no" | "hour" | "time" {
  const { freeze, end } = event ?? {};
  if (typeof freeze !== "number" || (typeof end === "number" && freeze >= end)) return "no";
  return typeof end === "number" && end - freeze === HOUR_MS ? "hour" : "time";
}

export function nameNow(
  { event, sections }: Settings,
  proposed: { start: number; end: number },
  device: string,
): Answers {
  const zone = event?.timezone ?? device;
  const text = (at: number | null | undefined) =>
    typeof at === "number" && isZone(zone) ? clockTime(at, zone) : "";
  const mode = freezeMode(event);
  return {
    name: event?.name ?? "",
    timezone: zone,
    start: text(event?.start ?? proposed.start),
    end: text(event?.end ?? proposed.end),
    freeze: mode,
    freezeAt: mode === "time" ? text(event?.freeze) : "",
    reveal: event?.reveal ?? "auto",
    flagFormat: event?.flagFormat ?? "flag{...}",
    banner: textOf(sections.site, "banner"),
    accent: textOf(sections.site, "accent"),
  };
}

export interface Times {
  readonly start: number | null;
  readonly end: number | null;
  readonly freeze: number | null;
}

/** Times of the answers; those that are missing or wrong are null. */
export function timesOf({ timezone, start, end, freeze, freezeAt }: Answers): Times {
  const zone = timezone?.trim() ?? "";
  const at = (text = "") => (isZone(zone) ? momentOf(text, zone) : null);
  const endsAt = at(end);
  const hourBefore = endsAt === null ? null : endsAt - HOUR_MS;
  const frozen = freeze === "hour" ? hourBefore : at(freezeAt);
  return { start: at(start), end: endsAt, freeze: freeze === "no" ? null : frozen };
}

/** Errors of the times, by field; the texts are those of the timeline. */
export function timeFault({
  start,
  end,
  freeze,
}: Times): { field: "end" | "freeze"; code: string } | null {
  if (start !== null && end !== null && end <= start) {
    return { field: "end", code: "end_before_start" };
  }
  if (freeze === null) return null;
  if (start !== null && freeze < start) return { field: "freeze", code: "freeze_before_start" };
  if (end !== null && freeze > end) return { field: "freeze", code: "freeze_after_end" };
  return null;
}

/** Times to send: those that change. A freeze cannot be removed, so "no freeze" is the end. */
export function changedTimes(
  answers: Answers,
  event: Settings["event"],
): Readonly<Record<string, string>> {
  const times = timesOf(answers);
  const hadFreeze = typeof event?.freeze === "number";
  const freeze = times.freeze ?? (hadFreeze ? times.end : null);
  const all = { start: times.start, end: times.end, freeze };
  const zone = answers.timezone ?? "";
  return Object.fromEntries(
    Object.entries(all).flatMap(([name, ms]) => {
      const known = event?.[name === "start" || name === "end" ? name : "freeze"];
      // The fields have no seconds.
      const isKnown =
        ms !== null && typeof known === "number" && clockTime(ms, zone) === clockTime(known, zone);
      return ms === null || isKnown ? [] : [[name, new Date(ms).toISOString()]];
    }),
  );
}

function mailNow({ sections }: Settings): Answers {
  const { mail } = sections;
  const from = textOf(mail, "from");
  const isSmtp = textOf(mail, "transport") === "smtp";
  return {
    transport: textOf(mail, "transport") || "file",
    from: from === NO_SENDER ? "" : from,
    host: textOf(mail, "host"),
    tls: textOf(mail, "tls") || "starttls",
    port: isSmtp ? textOf(mail, "port") : "",
    username: textOf(mail, "username"),
  };
}

/** Key of the networks exempt from per-network limits. */
export const TRUSTED = "trusted_networks";

/** Maximum number of teams; empty without one. */
function maximumOf(registration: Section | undefined): string {
  const text = textOf(registration, "max_teams");
  return text === "0" ? "" : text;
}

function playersNow({ sections }: Settings): Answers {
  const { registration, limits, captcha } = sections;
  const networks = limits?.[TRUSTED];
  return {
    signup: registration?.open === false ? "closed" : "open",
    opens: timeOf(registration, "opens"),
    closes: timeOf(registration, "closes"),
    maxTeams: maximumOf(registration),
    waitingList: registration?.waiting_list === true ? "yes" : "",
    domains: texts(registration?.email_domains).join(" "),
    codes: textOf(registration, "codes") || "none",
    questions: JSON.stringify(rowsOf(registration?.fields)),
    confirm: registration?.confirm_email === false ? "" : "yes",
    studentLabel: textOf(registration, "student_label"),
    network: textOf(limits, SIGNUPS) === "0" ? "yes" : "no",
    networks: Array.isArray(networks) ? networks.join(" ") : "",
    provider: textOf(captcha, "provider") || "altcha",
    siteKey: textOf(captcha, "site_key"),
  };
}

function rulesNow({ rules, rulesFromFiles }: Settings, words: SetupMessages): Answers {
  return { text: rules ?? (rulesFromFiles ? "" : words.rules.template) };
}

const CHALLENGE: Answers = { name: "", category: "misc", text: "", flag: "", points: "100" };

/** The answers of each step: the settings, with the input over them. */
export function useAnswers(settings: Settings) {
  const { setup } = useOrganizeMessages();
  const [first] = useState(() => ({ times: proposedTimes(Date.now()), zone: deviceZone() }));
  return {
    name: useDraft<Answers>(
      "organize",
      "setup name",
      nameNow(settings, first.times, first.zone),
    ) satisfies Draft,
    rules: useDraft<Answers>("organize", "setup rules", rulesNow(settings, setup)),
    mail: useDraft<Answers>("organize", "setup mail", mailNow(settings)),
    players: useDraft<Answers>("organize", "setup players", playersNow(settings)),
    challenge: useDraft<Answers>("organize", "setup challenge", CHALLENGE),
  };
}

export type AllAnswers = ReturnType<typeof useAnswers>;
