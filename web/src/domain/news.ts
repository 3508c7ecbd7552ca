/** Unread news of a viewer. Pure: read news is passed as a set of keys. */
import type { components } from "../api/schema";
import type { Notice } from "./live";

/** A question of the team; times in epoch milliseconds. */
export type Question = Omit<components["schemas"]["Own"], "fromOrganizers">;

/** Maximum number of unanswered questions per team. */
export const OPEN_MAX = 3;

/** True while the question is unanswered. */
export function isOpen({ state }: Pick<Question, "state">): boolean {
  return state === "open";
}

/** Time of the last change of a notice: posted, edited or withdrawn. */
export function changedAt({ at, correctedAt, withdrawnAt }: Notice): number {
  return Math.max(at, correctedAt ?? 0, withdrawnAt ?? 0);
}

/** The key of a read notice; it changes with an edit, which makes the notice unread again. */
export function noticeKey(notice: Notice): string {
  return `notice ${notice.id} ${changedAt(notice)}`;
}

/** The key of a dismissed banner; reading a notice does not dismiss its banner. */
export function bannerKey(notice: Notice): string {
  return keyOfBanner(notice.id, changedAt(notice));
}

function keyOfBanner(id: number, changedAtMs: number): string {
  return `banner ${id} ${changedAtMs}`;
}

/** The key of an answer or of a message from the organizers. */
export function answerKey({ id, answeredAt }: Question): string {
  return `answer ${id} ${answeredAt}`;
}

/** The keys of all news. */
export function newsKeys(notices: readonly Notice[], questions: readonly Question[]): string[] {
  const answered = questions.filter((question) => !isOpen(question));
  return [...notices.map(noticeKey), ...answered.map(answerKey)];
}

/** Active urgent notices: not withdrawn, ended or dismissed; most recently changed first. */
export function urgentNotices(
  notices: readonly Notice[],
  seen: ReadonlySet<string>,
  nowMs: number,
): Notice[] {
  return notices
    .filter((one) => one.urgent && !one.withdrawn && !seen.has(bannerKey(one)))
    .filter(({ urgentUntil }) => urgentUntil === null || urgentUntil > nowMs)
    .sort((a, b) => changedAt(b) - changedAt(a));
}

/** True if an urgent notice of the event info, which lacks the texts, interrupts this viewer. */
export function interrupts(
  urgent: readonly components["schemas"]["UrgentNotice"][],
  seen: ReadonlySet<string>,
  nowMs: number,
): boolean {
  return urgent.some(({ id, changedAt, urgentUntil }) => {
    const isOver = (urgentUntil ?? Number.POSITIVE_INFINITY) <= nowMs;
    return !isOver && !seen.has(keyOfBanner(id, changedAt));
  });
}

/** Latest end time of the urgent notices; 0 if none of them ends. */
export function lastUrgentEnd(notices: readonly Notice[]): number {
  return Math.max(0, ...notices.map((one) => (one.urgent ? (one.urgentUntil ?? 0) : 0)));
}

/** Duration for which the projector shows a notice. */
const STAGE_MS = 15 * 60_000;
const STAGE_URGENT_MS = 60 * 60_000;

/** Time at which the projector stops showing a notice. */
export function stageUntil(notice: Notice): number {
  if (notice.urgent && notice.urgentUntil !== null) return notice.urgentUntil;
  return changedAt(notice) + (notice.urgent ? STAGE_URGENT_MS : STAGE_MS);
}

/** The notice for the projector: the most recently changed active one, urgent ones first. */
export function stageNotice(notices: readonly Notice[], nowMs: number): Notice | null {
  const recent = notices
    .filter((one) => !one.withdrawn && stageUntil(one) > nowMs)
    .sort((a, b) => Number(b.urgent) - Number(a.urgent) || changedAt(b) - changedAt(a));
  return recent[0] ?? null;
}
