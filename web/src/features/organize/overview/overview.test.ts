/** Items that need attention, figures with their limits, graphs, times and readiness. */
import { describe, expect, test } from "vitest";
import type { Pair } from "../../../api/organize-lists";
import { organizeEn } from "../../../messages/organize/en";
import { PAIR } from "../fake-server";
import { type AttentionItem, attentionItems, commandIn } from "./attention";
import { drawing, figuresOf, HEIGHT, pointsOf, withSample, withSolves } from "./figures";
import { type Facts, readiness } from "./readiness";
import { eventTimes } from "./times";
import { watched } from "./watch";

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
  challenge("ill", { status: "broken", statusNote: "Down." }),
];
const QUESTION = { id: 7, at: 400, state: "open", teamName: "Otters", text: "How?" };
const { day, pages } = organizeEn;
const WORDS = { day, overview: pages.overview, evidence: pages.evidence };
const READ = {
  ...{ challenges: CHALLENGES, questions: [QUESTION], evidence: [], isCeremony: false },
};
const items = (may: (action: string) => boolean, more: object = {}): readonly AttentionItem[] =>
  attentionItems({ ...READ, overview: { ...OVERVIEW, ...more }, may }, WORDS);
const itemsOf = (more: object, may: (action: string) => boolean = () => true) =>
  attentionItems({ ...READ, overview: OVERVIEW, may, ...more }, WORDS);

describe("needs attention", () => {
  test("urgent items come first, and each has its action", () => {
    const all = items(() => true);
    expect(all.map(({ text, severity }) => [text, severity])).toEqual([
      ["ILL is broken", "bad"],
      ["3 unanswered questions", "warn"],
      ["2 challenges have errors", "warn"],
    ]);
    const orders = all.map(({ order }) => order?.action);
    expect(orders).toEqual(["challenge.status", "question.answer", undefined]);
    expect(all[1]).toMatchObject({ since: 400, order: { fixed: { question: 7 }, quote: "How?" } });
  });
  test("no questions for roles that cannot see them", () => {
    const all = items((action) => action !== "question.list");
    expect(all.map(({ key }) => key)).toEqual(["ill", "errors"]);
  });
  test("a warning has its command; rejected emails are listed once", () => {
    const warning = (code: string) => ({ code, message: code, cure: "Run `systemctl x`, `y`" });
    const health = { mail: { failed: 2, waiting: 0 } };
    const warnings = [warning("backup_old"), warning("mail_refused"), warning("disk_low")];
    const all = items(() => true, { health, warnings, openQuestions: 0 });
    const keys = all.map(({ key }) => key);
    expect(keys).toEqual(["disk_low", "ill", "backup_old", "errors", "refused"]);
    expect(commandIn(all[0]?.detail ?? "")).toBe("systemctl x");
    expect(commandIn("`GET /api/organize/teams` lists them")).toBeNull();
  });
  test("both warnings about backups lead to one, for roles that make backups", () => {
    for (const code of ["backup_old", "backup_missing"]) {
      const warnings = [{ code, message: code, cure: "" }];
      const more = { warnings, openQuestions: 0 };
      const item = items(() => true, more).find(({ key }) => key === code);
      expect(item).toMatchObject({ isBackup: true, path: "/organize/event" });
      const others = items((action) => action !== "event.backup", more);
      expect(others.map(({ key }) => key)).not.toContain(code);
    }
  });
  test("new evidence of another team's flag leads to it, for roles that see evidence", () => {
    const pair = { ...PAIR, lastAt: 700 };
    const found = (evidence: readonly Pair[], may?: (action: string) => boolean) =>
      itemsOf({ evidence }, may).find(({ key }) => key === "team_flag");
    expect(found([pair])).toMatchObject({
      ...{ severity: "warn", since: 700, path: "/organize/submissions" },
      detail: "Otters submitted the per-team flag of <b>Hostile</b>",
      query: { tab: "evidence", state: "new", pair: '["Otters","<b>Hostile</b>"]' },
    });
    const two = found([pair, { ...pair, teamName: "Ants" }]);
    expect(two?.text).toContain("2 pairs");
    expect(two?.query).toMatchObject({ kind: "team_flag" });
    expect(found([{ ...pair, state: "cleared" }])).toBeUndefined();
    const facts = pair.facts.map((fact) => ({ ...fact, kind: "same_text" }));
    expect(found([{ ...pair, facts }])).toBeUndefined();
    expect(found([pair], (action) => action !== "evidence.list")).toBeUndefined();
  });
  test("a scoreboard that waits for its ceremony is no alarm", () => {
    const overview = { ...OVERVIEW, status: "ended", isFrozen: true };
    const [ceremony] = itemsOf({ overview, isCeremony: true });
    expect(ceremony).toMatchObject({ key: "reveal", severity: "warn" });
    expect(ceremony?.pageLabel).toBe("Start the ceremony");
    const [due] = itemsOf({ overview });
    expect(due).toMatchObject({ key: "reveal", severity: "bad" });
    expect(due?.pageLabel).toBeUndefined();
  });
});

const HEALTH = {
  flagsPerSecond: { right: 0.5, wrong: 0, repeated: 0, throttled: 0 },
  lane: { waiting: 0, failures: 0, slowestMs: 20, entries: 1 },
  process: { memoryBytes: 1, files: 10, filesMax: 100 },
  diskFreeBytes: 20e9,
  sockets: 4,
  connections: 4,
  loginsInProgress: 0,
  nodes: 1,
  ready: true,
  isIntact: true,
};

describe("figures", () => {
  const stateOf = (name: string, more: object) => {
    const health = { ...HEALTH, ...more };
    return figuresOf({ ...OVERVIEW, health }).find((one) => one.name === name)?.state;
  };
  test("each limit has three states", () => {
    const lane = (slowestMs: number) => ({ lane: { ...HEALTH.lane, slowestMs } });
    const slowest = [20, 400, 501].map((ms) => stateOf("slowest", lane(ms)));
    expect(slowest).toEqual(["good", "warn", "bad"]);
    const disks = [20e9, 3e9, 1e9].map((diskFreeBytes) => stateOf("disk", { diskFreeBytes }));
    expect(disks).toEqual(["good", "warn", "bad"]);
    expect(stateOf("nodes", { ready: false })).toBe("bad");
    expect(figuresOf(OVERVIEW).map(({ name }) => name)).toEqual(["teams", "solves"]);
  });
  test("the history has an hour, and the slowest write of each minute", () => {
    const figures = (ms: number) => [
      { name: "slowest" as const, value: ms, state: "good" as const },
    ];
    let history = withSample({}, figures(9), 0);
    history = withSample(history, figures(90), 61 * 60_000);
    history = withSample(history, figures(3), 61 * 60_000 + 5000);
    expect(history).toEqual({ 61: { slowest: 90 } });
  });
  test("minutes before the page was opened are filled from the solves", () => {
    const flags = [{ at: 9.5 * 60_000 }, { at: 8.2 * 60_000 }, { at: 8.1 * 60_000 }];
    const history = withSolves({}, flags, false, 50, 10 * 60_000);
    expect(pointsOf(history, "solves", 10 * 60_000)).toEqual([{ ago: 1, value: 50 }]);
    const all = withSolves({}, flags, true, 3, 10 * 60_000);
    const points = pointsOf(all, "solves", 10 * 60_000);
    expect(points.slice(-3).map(({ value }) => value)).toEqual([0, 2, 3]);
    expect(points).toHaveLength(60);
  });
  test("a line is scaled from zero; a limit is drawn if it is near", () => {
    const points = [
      { ago: 60, value: 0 },
      { ago: 0, value: 50 },
    ];
    const near = drawing(points, 100);
    expect(near.line).toMatch(/^M0 36L120 /);
    expect(near.limit).toBeLessThan(near.last ?? 0);
    expect(near.last).toBeLessThan(HEIGHT);
    expect(drawing(points, 1000).limit).toBeNull();
    expect(drawing([{ ago: 0, value: 1 }], undefined).line).toBe("");
  });
});

test("event times are in order, with releases to come", () => {
  const times = eventTimes({ ...OVERVIEW, start: 10, end: 5000, freeze: null }, CHALLENGES);
  expect(times.map(({ key }) => key)).toEqual(["start", "soon", "end", "late"]);
});

test("a challenge is watched in one group only", () => {
  const groups = watched([
    challenge("ill", { status: "looked_at", stuck: 3 }),
    challenge("few", { solves: 2, stuck: 1 }),
    challenge("many", { solves: 2, stuck: 5 }),
    challenge("none", { tries: 4 }),
    challenge("hidden", { state: "hidden" }),
  ]);
  const ids = Object.values(groups).map((group) => group.map(({ id }) => id));
  expect(ids).toEqual([["ill"], ["many", "few"], ["none"]]);
});

describe("readiness", () => {
  const SETTINGS = {
    event: {
      ...{ name: "Cup", timezone: "UTC", flagFormat: "", reveal: "manual", practice: false },
      ...{ start: 1, freeze: 2, end: 3 },
    },
    ...{ rules: "Be kind.", rulesFromFiles: false, secrets: {}, fixed: {}, pages: [] },
    sections: { mail: { transport: "smtp" }, captcha: { provider: "altcha" } },
  };
  const owner = (name: string) => ({
    ...{ name, roles: ["owner"], challenges: [], createdAt: 1, isEnrolled: true },
    ...{ sessions: 0, tokens: 0 },
  });
  const READY: Facts = {
    overview: {
      ...OVERVIEW,
      ...{ start: 1, freeze: 2, end: 3, challenges: { shown: 1, all: 1, withErrors: 0 } },
      health: { ...HEALTH, lastBackupAt: 1 },
    },
    settings: SETTINGS,
    challenges: [challenge("web", { flags: 1 })],
    people: [owner("Ada"), owner("Bob")],
    isSecure: true,
    isMailTested: true,
    may: () => true,
  };
  const missing = (facts: Partial<Facts>) =>
    readiness({ ...READY, ...facts }, day.ready)
      .filter(({ isDone }) => !isDone)
      .map(({ key, text }) => `${key}: ${text}`);
  test("nothing is missing if everything is done", () => {
    expect(missing({})).toEqual([]);
    expect(readiness(READY, day.ready)).toHaveLength(12);
  });
  test("each missing fact is named", () => {
    const bare = [challenge("web", { flags: 0 })];
    expect(missing({ challenges: bare })).toEqual(["flags: No flag is set: WEB"]);
    expect(missing({ isMailTested: false })[0]).toMatch(/^mail: No email has been sent/);
    expect(missing({ isSecure: false })[0]).toMatch(/^https/);
    expect(missing({ people: [owner("Ada")] })).toEqual([
      "owners: Only one owner can log in",
      "ceremony: Only one organizer can reveal the scoreboard",
    ]);
    const frozenAtEnd = { ...READY.overview, freeze: 3 };
    expect(missing({ overview: frozenAtEnd })[0]).toMatch(/^ceremony: .* no freeze/);
    const sections = { mail: { transport: "file" }, captcha: { provider: "off" } };
    const without = { ...SETTINGS, rules: null, sections };
    const keys = missing({ settings: without }).map((text) => text.split(":")[0]);
    expect(keys).toEqual(["rules", "mail", "captcha"]);
  });
  test("what the role cannot read is not in the list", () => {
    const keys = readiness({ ...READY, settings: undefined, people: undefined }, day.ready);
    expect(keys.map(({ key }) => key)).toEqual([
      ...["times", "challenges", "flags", "errors", "https", "backup"],
    ]);
  });
  test("what the role cannot act on is not in the list", () => {
    const keysFor = (actions: readonly string[]) => {
      const may = (action: string) => actions.includes(action);
      const others = { settings: undefined, people: undefined, challenges: [] };
      const overview = { ...READY.overview, start: null, challenges: { shown: 0, withErrors: 0 } };
      return readiness({ ...READY, ...others, overview, may }, day.ready).map(({ key }) => key);
    };
    expect(keysFor(["event.overview", "challenge.list", "team.rename"])).toEqual([]);
    expect(keysFor(["challenge.create"])).toEqual(["challenges"]);
  });
});
