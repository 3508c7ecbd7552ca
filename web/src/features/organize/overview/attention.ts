/** Items that need an organizer's attention, most urgent first. Pure. */
import type { ListedChallenge, Overview, Pair, Question } from "../../../api/organize-lists";
import type { OrganizeMessages } from "../../../messages/organize/en";
import type { Action } from "../change/action-buttons";
import { isRevealDue, revealAction } from "../event/actions";
import { CEREMONY } from "../pages";
import { pairName } from "../submissions/names";

export type Severity = "bad" | "warn" | "quiet";

export interface AttentionItem {
  readonly key: string;
  readonly severity: Severity;
  readonly text: string;
  /** True for a text of the server, which is English. */
  readonly isEnglish?: boolean;
  /** More about it; commands are in backticks. */
  readonly detail?: string;
  /** Time since which it waits. */
  readonly since?: number | null | undefined;
  /** Page that handles the item, and its query parameters. */
  readonly path?: string;
  readonly query?: Readonly<Record<string, string>>;
  /** Label of the page's link if it is the main button; the action is then a quiet second one. */
  readonly pageLabel?: string;
  /** Action that handles the item here. */
  readonly order?: Action;
  /** True if a new backup handles the item. */
  readonly isBackup?: boolean;
}

interface Read {
  readonly overview: Overview;
  readonly challenges: readonly ListedChallenge[];
  readonly questions: readonly Question[];
  readonly evidence: readonly Pair[];
  /** True if an organizer reveals the final scoreboard, at a ceremony. */
  readonly isCeremony: boolean;
  /** True if the role can perform the action. */
  readonly may: (action: string) => boolean;
}

type Words = Pick<OrganizeMessages, "day"> & {
  readonly overview: OrganizeMessages["pages"]["overview"];
  readonly evidence: OrganizeMessages["pages"]["evidence"];
};

const when = (isThere: boolean, waiting: AttentionItem): readonly AttentionItem[] =>
  isThere ? [waiting] : [];

/** Warnings at which correct flags may be lost or wrong. */
const BAD = new Set(["not_ready", "lane_fails", "disk_low", "journal_altered"]);
/** Codes of the warnings about backups. Only owners see them. */
const BACKUP = new Set(["backup_old", "backup_missing"]);
const TEAMS = "/organize/teams";
/** Pages that handle warnings, by code. */
const PAGES: Readonly<Record<string, Pick<AttentionItem, "path" | "query">>> = {
  backup_old: { path: "/organize/event" },
  backup_missing: { path: "/organize/event" },
  mail_waits: { path: TEAMS, query: { mail: "queued" } },
  mail_refused: { path: TEAMS, query: { mail: "refused" } },
  mail_limit: { path: "/organize/event", query: { tab: "settings" } },
};

/** First command in a text with commands in backticks; null if there is none. */
export function commandIn(text: string): string | null {
  const [, command = null] =
    /`((?:systemctl|flagship|journalctl|timedatectl)(?: [^`]*)?)`/.exec(text) ?? [];
  return command;
}

function warningItems({ overview, may }: Read, words: Words): readonly AttentionItem[] {
  const { health, warnings } = overview;
  const mine = warnings.filter(({ code }) => !BACKUP.has(code) || may("event.backup"));
  return mine.map(({ code, message, cure }) => {
    const own = words.overview.warnings[code];
    const isBackup = BACKUP.has(code);
    return {
      key: code,
      severity: BAD.has(code) ? ("bad" as const) : ("warn" as const),
      text: own?.message ?? message,
      detail: own?.cure ?? cure,
      isEnglish: own === undefined,
      since: isBackup ? health?.lastBackupAt : undefined,
      isBackup,
      ...PAGES[code],
    };
  });
}

function questionItems(read: Read, words: Words): readonly AttentionItem[] {
  const { overview, questions, may } = read;
  const count = overview.openQuestions ?? 0;
  const oldest = questions.find(({ state }) => state === "open");
  if (count === 0 || !may("question.list")) return [];
  const fixed = (id: number) =>
    may("notice.post") ? { question: id } : { question: id, toAll: undefined };
  return [
    {
      key: "questions",
      severity: "warn",
      text: words.overview.question(count),
      path: "/organize/messages",
      query: { state: "open" },
      since: oldest?.at,
      ...(oldest && {
        detail: words.day.oldest(oldest.teamName, oldest.text),
        ...(may("question.answer") && {
          order: {
            action: "question.answer",
            fixed: fixed(oldest.id),
            object: oldest.teamName,
            quote: oldest.text,
          },
        }),
      }),
    },
  ];
}

function challengeItems({ overview, challenges, may }: Read, words: Words) {
  const path = "/organize/challenges";
  const withErrors = overview.challenges.withErrors ?? 0;
  const ailing = challenges.filter(({ status }) => status === "broken" || status === "looked_at");
  return [
    ...ailing.map(({ challengeName, id, status, statusNote: note }): AttentionItem => {
      const isBroken = status === "broken";
      const { broken, looked } = words.overview;
      return {
        key: id,
        severity: isBroken ? "bad" : "quiet",
        text: isBroken ? broken(challengeName) : looked(challengeName),
        ...(note && { detail: words.day.noteOf(note) }),
        path,
        query: { open: id },
        ...(may("challenge.status") && {
          order: {
            action: "challenge.status",
            fixed: { challenge: id },
            object: challengeName,
            initial: { status, note },
          },
        }),
      };
    }),
    ...when(withErrors > 0, {
      key: "errors",
      severity: "warn",
      text: words.overview.problems(withErrors),
      path,
    }),
  ];
}

function mailItems({ overview, may }: Read, words: Words): readonly AttentionItem[] {
  const {
    failed = 0,
    waiting = 0,
    waitingSince,
  } = (may("team.resend") && overview.health?.mail) || {};
  return [
    ...when(failed > 0, {
      key: "refused",
      severity: "warn",
      text: words.overview.refused(failed),
      ...PAGES.mail_refused,
    }),
    ...when(waiting > 0, {
      key: "queued",
      severity: "quiet",
      text: words.overview.mails(waiting),
      since: waitingSince,
      ...PAGES.mail_waits,
    }),
  ];
}

/** New evidence that a team submitted the flag of another one. */
function evidenceItems({ evidence, may }: Read, words: Words): readonly AttentionItem[] {
  const isFlag = ({ kind }: Pair["facts"][number]) => kind === "team_flag";
  const pairs = evidence.filter(({ state, facts }) => state === "new" && facts.some(isFlag));
  const newest = pairs.toSorted((a, b) => b.lastAt - a.lastAt)[0];
  if (!newest || !may("evidence.list")) return [];
  const { teamName, otherName, facts } = newest;
  const by = facts.find(isFlag)?.by ?? teamName;
  const other = by === teamName ? (otherName ?? "") : teamName;
  const only = pairs.length === 1 ? { pair: pairName(newest) } : { kind: "team_flag" };
  return [
    {
      key: "team_flag",
      severity: "warn",
      text: words.overview.teamFlag(pairs.length),
      detail: words.evidence.said("team_flag", by, other),
      since: newest.lastAt,
      path: "/organize/submissions",
      query: { tab: "evidence", state: "new", ...only },
    },
  ];
}

/** The reveal that is due; at a ceremony, if the event has one. */
function revealItems({ overview, may, isCeremony }: Read, words: Words): readonly AttentionItem[] {
  if (!isRevealDue(overview) || !may("event.reveal")) return [];
  const item = {
    key: "reveal",
    since: overview.end,
    path: CEREMONY,
    order: revealAction(overview),
  };
  if (!isCeremony || !may("event.ceremony")) {
    return [{ ...item, severity: "bad", text: words.overview.reveal }];
  }
  const { ceremony, startCeremony } = words.overview;
  return [{ ...item, severity: "warn", text: ceremony, pageLabel: startCeremony }];
}

const RANK: Readonly<Record<Severity, number>> = { bad: 0, warn: 1, quiet: 2 };

export function attentionItems(read: Read, words: Words): readonly AttentionItem[] {
  const mails = mailItems(read, words);
  // The item about rejected emails says how many they are.
  const isTold = ({ key }: AttentionItem) =>
    key === "mail_refused" && mails.some((mail) => mail.key === "refused");
  const others = [
    ...warningItems(read, words).filter((item) => !isTold(item)),
    ...questionItems(read, words),
    ...challengeItems(read, words),
    ...evidenceItems(read, words),
    ...mails,
  ];
  return [
    ...revealItems(read, words),
    ...others.toSorted((a, b) => RANK[a.severity] - RANK[b.severity]),
  ];
}
