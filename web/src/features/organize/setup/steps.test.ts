/** Completed and next setup steps, and challenge IDs. */
import { beforeEach, expect, test } from "vitest";
import type { Settings } from "../../../api/organize-settings";
import {
  challengeId,
  doneSteps,
  proposedTimes,
  rememberPlayers,
  STEPS,
  stepAfter,
  stepAt,
  stepsFor,
} from "./steps";

const HOUR_MS = 3_600_000;
const NOW = 1_700_000_000_000;

const EMPTY: Settings = {
  event: null,
  rules: null,
  rulesFromFiles: false,
  sections: {
    mail: { from: "Flagship <flagship@localhost>" },
    captcha: { provider: "off" },
  },
  secrets: {},
  fixed: {},
  pages: [],
};

const EVENT = {
  name: "Cup",
  timezone: "UTC",
  flagFormat: "",
  reveal: "auto",
  practice: false,
  start: NOW + HOUR_MS,
  freeze: null,
  end: NOW + 2 * HOUR_MS,
};

beforeEach(() => localStorage.clear());

test("a step is complete when its object exists", () => {
  const done = (settings: Partial<Settings>, challenges = 0, now = NOW) => {
    const all = doneSteps({ ...EMPTY, ...settings }, challenges, now);
    return STEPS.filter((step) => all[step]);
  };
  expect(done({})).toEqual([]);
  expect(done({ event: { ...EVENT, start: null, end: null } })).toEqual([]);
  expect(done({ event: EVENT })).toEqual(["name"]);
  expect(done({ event: EVENT }, 1, NOW + HOUR_MS)).toEqual(["name", "challenge", "start"]);
  expect(done({ rules: "Be kind." })).toEqual(["rules"]);
  expect(done({ rulesFromFiles: true })).toEqual(["rules"]);
  const sections = { mail: { from: "a@example.org" }, captcha: { provider: "altcha" } };
  expect(done({ sections })).toEqual(["mail"]);
});

test("the players step is complete once it was saved, or changed in the settings", () => {
  const isDone = (sections: Settings["sections"]) =>
    doneSteps({ ...EMPTY, sections }, 0, NOW).players;
  const captcha = { provider: "altcha" };
  expect(isDone({ captcha })).toBe(false);
  expect(isDone({ captcha, registration: { open: false } })).toBe(true);
  expect(isDone({ captcha, limits: { signups_per_network_per_hour: 0 } })).toBe(true);
  rememberPlayers();
  expect(isDone({ captcha })).toBe(true);
  expect(isDone({ captcha: { provider: "off" } })).toBe(false);
});

test("the setup resumes at the first incomplete step, and each can be opened", () => {
  const done = doneSteps({ ...EMPTY, event: EVENT, rules: "x" }, 0, NOW);
  expect(stepAt("", STEPS, done)).toBe("mail");
  expect(stepAt("nonsense", STEPS, done)).toBe("mail");
  expect(stepAt("rules", STEPS, done)).toBe("rules");
  const after = STEPS.map((step) => stepAfter(step, STEPS));
  expect(after).toEqual(["rules", "mail", "players", "challenge", "start", "start"]);
});

test("without permission for mail and players the other steps remain", () => {
  const steps = stepsFor((action) => action !== "settings.set");
  expect(steps).toEqual(["name", "rules", "challenge", "start"]);
  const done = doneSteps({ ...EMPTY, event: EVENT, rules: "x" }, 0, NOW);
  expect(stepAt("", steps, done)).toBe("challenge");
  expect(stepAt("mail", steps, done)).toBe("challenge");
  expect(stepAfter("rules", steps)).toBe("challenge");
});

test("an ID is derived from a name", () => {
  expect(challengeId("Low Tide!", NOW)).toBe("low-tide");
  expect(challengeId("Caffè  №1", NOW)).toBe("caffe-no1");
  expect(challengeId("海", NOW)).toBe(`challenge-${NOW}`);
  expect(challengeId("x".repeat(80), NOW)).toHaveLength(64);
});

test("the proposed event starts at a full hour and lasts a day", () => {
  const { start, end } = proposedTimes(NOW);
  expect(start % HOUR_MS).toBe(0);
  expect(start).toBeGreaterThan(NOW);
  expect(end - start).toBe(24 * HOUR_MS);
});
