/** What waits, and the line of a figure. */
import { describe, expect, test } from "vitest";
import { organizeEn } from "../../../messages/organize/en";
import { linePoints } from "./pulse";
import { waitingOf } from "./waiting";

const OVERVIEW = {
  name: "Harbour CTF",
  status: "running",
  now: 1000,
  isPaused: false,
  isFrozen: false,
  isRevealed: false,
  teams: { playing: 1 },
  challenges: { shown: 1, withErrors: 2 },
  solves: 0,
  openQuestions: 3,
  warnings: [],
  health: null,
};
const challenge = (id: string, more: object) => ({
  id,
  challengeName: id.toUpperCase(),
  categories: [],
  state: "shown",
  status: "works",
  statusNote: "",
  value: 1,
  solves: 0,
  ...more,
});
const CHALLENGES = [
  challenge("late", { releasesAt: 9000 }),
  challenge("soon", { releasesAt: 2000 }),
  challenge("past", { releasesAt: 500 }),
  challenge("ill", { status: "broken" }),
];
const texts = (may: (action: string) => boolean) =>
  waitingOf(
    { overview: OVERVIEW, challenges: CHALLENGES, may },
    organizeEn.pages.now,
    (ms) => `${ms}`,
  ).map(({ text }) => text);

describe("what waits", () => {
  test("the urgent first; of releases the next alone", () => {
    expect(texts(() => true)).toEqual([
      "3 questions wait for an answer",
      "ILL is broken",
      "2 challenges have errors in the text",
      "SOON is released at 2000",
    ]);
  });
  test("no questions for who does not see them", () => {
    expect(texts((action) => action !== "question.list")[0]).toBe("ILL is broken");
  });
});

test("a line goes from nothing to the highest of its samples; one sample is no fault", () => {
  expect(linePoints([0, 10, 5])).toBe("0.0,27.0 60.0,1.0 120.0,14.0");
  expect(linePoints([4])).toBe("0.0,1.0");
  expect(linePoints([0, 0])).toBe("0.0,27.0 120.0,27.0");
});
