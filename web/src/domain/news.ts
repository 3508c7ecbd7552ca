/** What is new to a viewer. Pure: what was seen comes as a set of keys. */
import type { components } from "../api/schema";
import type { Notice } from "./live";

/** A question of the team; times in epoch milliseconds. */
export type Question = Omit<components["schemas"]["Own"], "fromOrganizers">;

/** Most questions of a team that wait for an answer. */
export const OPEN_MAX = 3;

/** True while the question waits for an answer. */
export function isOpen({ state }: Pick<Question, "state">): boolean {
  return state === "open";
}

/** When a notice was posted, corrected or withdrawn, whichever came last. */
export function changedAt({ at, correctedAt, withdrawnAt }: Notice): number {
  return Math.max(at, correctedAt ?? 0, withdrawnAt ?? 0);
}

/** The key of what was read: a correction makes a notice unread again. */
export function noticeKey(notice: Notice): string {
  return `notice ${notice.id} ${changedAt(notice)}`;
}

/** The key of a banner that was dismissed; reading a notice does not dismiss it. */
export function bannerKey(notice: Notice): string {
  return `banner ${notice.id} ${changedAt(notice)}`;
}

/** The key of an answer, or of what the organizers wrote unasked. */
export function answerKey({ id, answeredAt }: Question): string {
  return `answer ${id} ${answeredAt}`;
}

/** The keys of everything that can be read. */
export function newsKeys(notices: readonly Notice[], questions: readonly Question[]): string[] {
  const answered = questions.filter((question) => !isOpen(question));
  return [...notices.map(noticeKey), ...answered.map(answerKey)];
}

/** The urgent notices that stand, have not ended and were not dismissed, the last changed first. */
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

/** When the last of the urgent notices ends that have an end; 0 without one. */
export function lastUrgentEnd(notices: readonly Notice[]): number {
  return Math.max(0, ...notices.map((one) => (one.urgent ? (one.urgentUntil ?? 0) : 0)));
}

/** How long the projector shows a notice. */
const STAGE_MS = 15 * 60_000;
const STAGE_URGENT_MS = 60 * 60_000;

/** When the projector stops showing a notice. */
export function stageUntil(notice: Notice): number {
  if (notice.urgent && notice.urgentUntil !== null) return notice.urgentUntil;
  return changedAt(notice) + (notice.urgent ? STAGE_URGENT_MS : STAGE_MS);
}

/** The notice that the projector shows: the last changed one that stands, an urgent one first. */
export function stageNotice(notices: readonly Notice[], nowMs: number): Notice | null {
  const recent = notices
    .filter((one) => !one.withdrawn && stageUntil(one) > nowMs)
    .sort((a, b) => Number(b.urgent) - Number(a.urgent) || changedAt(b) - changedAt(a));
  return recent[0] ?? null;
}
