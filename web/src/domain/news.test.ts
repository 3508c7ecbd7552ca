/** Unread news, urgent banners, and the projector's notice. */
import { expect, test } from "vitest";
import type { Notice } from "./live";
import {
  bannerKey,
  changedAt,
  interrupts,
  lastUrgentEnd,
  newsKeys,
  noticeKey,
  type Question,
  stageNotice,
  urgentNotices,
} from "./news";

const MINUTE_MS = 60_000;

function notice(id: number, more: Partial<Notice> = {}): Notice {
  const state = { correctedAt: null, withdrawn: false, withdrawnAt: null, urgentUntil: null };
  const words = { title: "Lunch", html: "", challengeId: null, urgent: false };
  return { id, at: id * MINUTE_MS, ...words, ...state, ...more };
}

function question(id: number, more: Partial<Question> = {}): Question {
  const rest = { challengeId: null, state: "open", answer: null, answeredAt: null };
  return { id, at: id, text: "Why?", ...rest, ...more };
}

test("an edit or a withdrawal makes a notice unread again", () => {
  const first = notice(1);
  const corrected = notice(1, { correctedAt: 90_000 });
  const withdrawn = notice(1, { correctedAt: 90_000, withdrawn: true, withdrawnAt: 95_000 });
  expect([first, corrected, withdrawn].map(changedAt)).toEqual([60_000, 90_000, 95_000]);
  expect(new Set([first, corrected, withdrawn].map(noticeKey)).size).toBe(3);
});

test("a question is news once it has an answer or is closed", () => {
  const answered = question(2, { state: "answered", answer: "So.", answeredAt: 5 });
  const closed = question(3, { state: "closed", answeredAt: 6 });
  const keys = newsKeys([notice(1)], [question(1), answered, closed]);
  expect(keys).toEqual(["notice 1 60000", "answer 2 5", "answer 3 6"]);
  const again = newsKeys([], [{ ...answered, answeredAt: 7 }]);
  expect(keys).not.toContain(again[0]);
});

test("an urgent notice interrupts until dismissed or withdrawn; reading is not enough", () => {
  const old = notice(1, { urgent: true });
  const corrected = notice(2, { urgent: true, correctedAt: 9 * MINUTE_MS });
  const newer = notice(3, { urgent: true });
  const gone = notice(4, { urgent: true, withdrawn: true, withdrawnAt: 5 * MINUTE_MS });
  const all = [gone, newer, corrected, old, notice(5)];
  const ids = (seen: string[]) => urgentNotices(all, new Set(seen), 0).map(({ id }) => id);
  expect(ids([])).toEqual([2, 3, 1]);
  expect(ids([noticeKey(newer)])).toEqual([2, 3, 1]);
  expect(ids([bannerKey(newer), bannerKey(notice(2))])).toEqual([2, 1]);
});

test("an urgent notice with an end interrupts until then, also on the projector", () => {
  const short = notice(1, { urgent: true, urgentUntil: 6 * MINUTE_MS });
  const long = notice(0, { urgent: true });
  const ids = (minute: number) =>
    urgentNotices([short, long], new Set(), minute * MINUTE_MS).map(({ id }) => id);
  expect(ids(5)).toEqual([1, 0]);
  expect(ids(6)).toEqual([0]);
  const shown = (minute: number) => stageNotice([short], minute * MINUTE_MS)?.id ?? null;
  expect([5, 6].map(shown)).toEqual([1, null]);
  expect(lastUrgentEnd([short, long, notice(9, { urgentUntil: 1e9 })])).toBe(6 * MINUTE_MS);
});

test("the projector shows the latest notice, urgent ones first, for a limited time", () => {
  const urgent = notice(1, { urgent: true });
  const note = notice(10);
  const withdrawn = notice(12, { withdrawn: true, withdrawnAt: 12 * MINUTE_MS });
  const shown = (minute: number) =>
    stageNotice([withdrawn, note, urgent], minute * MINUTE_MS)?.id ?? null;
  expect([13, 60].map(shown)).toEqual([1, 1]);
  expect(stageNotice([withdrawn, note], 13 * MINUTE_MS)?.id).toBe(10);
  expect(stageNotice([withdrawn, note], 25 * MINUTE_MS)).toBeNull();
  expect(shown(61)).toBeNull();
});

test("the event info shows if a banner is coming, before the notices are loaded", () => {
  const urgent = [
    { id: 1, changedAt: 5 },
    { id: 2, changedAt: 6, urgentUntil: 9 },
  ];
  const banner = bannerKey(notice(1, { at: 5 }));
  expect(interrupts(urgent, new Set(), 0)).toBe(true);
  expect(interrupts(urgent, new Set([banner]), 8)).toBe(true);
  expect(interrupts(urgent, new Set([banner]), 9)).toBe(false);
  expect(interrupts([], new Set(), 0)).toBe(false);
});
