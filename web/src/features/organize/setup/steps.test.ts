/** Which steps are done, which one follows, and what a challenge is called. */
import { expect, test } from "vitest";
import type { Settings } from "../../../api/organize-settings";
import { challengeId, doneSteps, proposedTimes, STEPS, stepAfter, stepAt, stepsFor } from "./steps";

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
  start: NOW + HOUR_MS,
  freeze: null,
  end: NOW + 2 * HOUR_MS,
};

test("a step is done once what it is about is there", () => {
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
  expect(done({ sections })).toEqual(["mail", "captcha"]);
});

test("the steps are resumed at the first that is not done, and each can be asked for", () => {
  const done = doneSteps({ ...EMPTY, event: EVENT, rules: "x" }, 0, NOW);
  expect(stepAt("", STEPS, done)).toBe("mail");
  expect(stepAt("nonsense", STEPS, done)).toBe("mail");
  expect(stepAt("rules", STEPS, done)).toBe("rules");
  const after = STEPS.map((step) => stepAfter(step, STEPS));
  expect(after).toEqual(["rules", "mail", "captcha", "challenge", "start", "start"]);
});

test("who may not set mail and captcha has the other steps", () => {
  const steps = stepsFor((action) => action !== "settings.set");
  expect(steps).toEqual(["name", "rules", "challenge", "start"]);
  const done = doneSteps({ ...EMPTY, event: EVENT, rules: "x" }, 0, NOW);
  expect(stepAt("", steps, done)).toBe("challenge");
  expect(stepAt("mail", steps, done)).toBe("challenge");
  expect(stepAfter("rules", steps)).toBe("challenge");
});

test("an id is made of a name", () => {
  expect(challengeId("Low Tide!", NOW)).toBe("low-tide");
  expect(challengeId("Caffè  №1", NOW)).toBe("caffe-no1");
  expect(challengeId("海", NOW)).toBe(`challenge-${NOW}`);
  expect(challengeId("x".repeat(80), NOW)).toHaveLength(64);
});

test("the proposed event begins at a full hour and lasts a day", () => {
  const { start, end } = proposedTimes(NOW);
  expect(start % HOUR_MS).toBe(0);
  expect(start).toBeGreaterThan(NOW);
  expect(end - start).toBe(24 * HOUR_MS);
});
