/** Preparations for the day of the event: done and missing ones, from the event's data. */
import { ACTIONS } from "../../../api/actions";
import type { Person } from "../../../api/organize";
import type { ListedChallenge, Overview } from "../../../api/organize-lists";
import type { Settings } from "../../../api/organize-settings";
import type { DayMessages } from "../../../messages/organize/day-en";
import { SETUP } from "../pages";

export interface ReadinessItem {
  readonly key: string;
  readonly isDone: boolean;
  readonly text: string;
  /** True if the event cannot take place without it. */
  readonly isUrgent?: boolean;
  /** Page on which it can be done, and its query parameters. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
}

/** Known data; what the role cannot read is undefined. */
export interface Facts {
  readonly overview: Overview;
  readonly settings?: Settings | undefined;
  readonly challenges?: readonly ListedChallenge[] | undefined;
  readonly people?: readonly Person[] | undefined;
  /** True if the page was loaded over HTTPS. */
  readonly isSecure: boolean;
  /** True if a test email was sent from this browser. */
  readonly isMailTested: boolean;
  /** True if the role can perform the action. */
  readonly may: (action: string) => boolean;
}

/** Permission to act on an item. The others need the permission to read their data only. */
const NEEDS: Readonly<Record<string, string>> = {
  times: "event.times",
  challenges: "challenge.create",
  flags: "challenge.read",
  errors: "challenge.read",
  https: "settings.read",
  backup: "settings.read",
};

type Words = DayMessages["ready"];

const step = (name: string) => ({ path: SETUP, query: { step: name } });
const EVENT = "/organize/event";

function timesItems({ overview }: Facts, { is, todo }: Words): readonly ReadinessItem[] {
  const isDone = Boolean(overview.start && overview.end);
  const text = isDone ? is.times : todo.times;
  return [{ key: "times", isDone, text, isUrgent: true, ...step("name") }];
}

/** Names shown of challenges without a flag. */
const NAMES_MAX = 3;

function challengeItems(facts: Facts, { is, todo }: Words): readonly ReadinessItem[] {
  const { overview, challenges = [] } = facts;
  const count = overview.challenges.all ?? Math.max(overview.challenges.shown, challenges.length);
  const path = "/organize/challenges";
  const text = count > 0 ? is.challenges(count) : todo.challenges;
  const first = { key: "challenges", isDone: count > 0, text, isUrgent: true };
  if (count === 0) return [{ ...first, path: "/organize/challenges/new" }];
  const bare = challenges.filter(({ flags }) => flags === 0).map((one) => one.challengeName);
  const more = bare.length > NAMES_MAX ? ", …" : "";
  const names = bare.slice(0, NAMES_MAX).join(", ") + more;
  const isFlagged = bare.length === 0;
  const wrong = overview.challenges.withErrors;
  return [
    { ...first, path },
    ...(challenges.some(({ flags }) => typeof flags === "number")
      ? [
          {
            key: "flags",
            isDone: isFlagged,
            text: isFlagged ? is.flags : todo.flags(names),
            isUrgent: true,
            path,
          },
        ]
      : []),
    ...(typeof wrong === "number"
      ? [
          {
            key: "errors",
            isDone: wrong === 0,
            text: wrong === 0 ? is.errors : todo.errors(wrong),
            path,
          },
        ]
      : []),
  ];
}

function mailItem(facts: Facts, { is, todo }: Words): ReadinessItem {
  const { overview, settings, isMailTested } = facts;
  const isSent = settings?.sections.mail?.transport === "smtp";
  const isTested = isMailTested || (overview.health?.mail?.sent ?? 0) > 0;
  const open = isSent ? todo.mailTest : todo.mail;
  const isDone = isSent && isTested;
  return { key: "mail", isDone, text: isDone ? is.mail : open, ...step("mail") };
}

function settingsItems(facts: Facts, words: Words): readonly ReadinessItem[] {
  const { overview, settings } = facts;
  if (!settings) return [];
  const { is, todo } = words;
  const { sections, rules, rulesFromFiles } = settings;
  const hasRules = Boolean(rules?.trim()) || rulesFromFiles;
  const isOpen = sections.registration?.open !== false || overview.teams.playing > 0;
  const hasCaptcha = (sections.captcha?.provider ?? "off") !== "off";
  const item = (key: "rules" | "signup" | "captcha", isDone: boolean, at: string) => ({
    key,
    isDone,
    text: isDone ? is[key] : todo[key],
    ...step(at),
  });
  return [
    item("rules", hasRules, "rules"),
    item("signup", isOpen, "players"),
    mailItem(facts, words),
    item("captcha", hasCaptcha, "players"),
  ];
}

function serverItems({ overview, isSecure }: Facts, { is, todo }: Words): readonly ReadinessItem[] {
  const backup = overview.health && {
    key: "backup",
    isDone: typeof overview.health.lastBackupAt === "number",
    path: EVENT,
  };
  return [
    { key: "https", isDone: isSecure, text: isSecure ? is.https : todo.https, path: EVENT },
    ...(backup ? [{ ...backup, text: backup.isDone ? is.backup : todo.backup }] : []),
  ];
}

function peopleItems({ overview, settings, people }: Facts, { is, todo }: Words) {
  const enrolled = people?.filter(({ isEnrolled }) => isEnrolled) ?? [];
  const owners = enrolled.filter(({ roles }) => roles.includes("owner")).length;
  const mayReveal: readonly string[] = ACTIONS["event.reveal"].roles;
  const revealers = enrolled.filter(({ roles }) => roles.some((role) => mayReveal.includes(role)));
  const peoplePage = { path: EVENT, query: { tab: "people" } };
  const isDouble = owners > 1;
  const items: ReadinessItem[] = [];
  if (people) {
    const text = isDouble ? is.owners : todo.owners;
    items.push({ key: "owners", isDone: isDouble, text, ...peoplePage });
  }
  if (settings?.event?.reveal === "manual") {
    const { freeze, end } = overview;
    const hasFreeze = typeof freeze === "number" && (!end || freeze < end);
    const isAlone = people !== undefined && revealers.length < 2;
    const isDone = hasFreeze && !isAlone;
    const missing = hasFreeze ? todo.revealers : todo.ceremony;
    const page = hasFreeze ? peoplePage : step("name");
    items.push({ key: "ceremony", isDone, text: isDone ? is.ceremony : missing, ...page });
  }
  return items;
}

/** All items that apply and that the role can act on, in the order of the setup. */
export function readiness(facts: Facts, words: Words): readonly ReadinessItem[] {
  const items = [
    ...timesItems(facts, words),
    ...challengeItems(facts, words),
    ...settingsItems(facts, words),
    ...serverItems(facts, words),
    ...peopleItems(facts, words),
  ];
  return items.filter(({ key }) => facts.may(NEEDS[key] ?? "event.overview"));
}

const TESTED = "flagship.mail-tested";

/** Remembers that the mail server accepted a test email, because the server does not. */
export function rememberMailTest(): void {
  try {
    localStorage.setItem(TESTED, "yes");
  } catch {
    // Storage is not available: the item stays open until the first email is sent.
  }
}

export function isMailTested(): boolean {
  try {
    return localStorage.getItem(TESTED) === "yes";
  } catch {
    return false;
  }
}
