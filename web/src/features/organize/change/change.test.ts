/** Orders and their effects, tested without the page. */
import { describe, expect, test } from "vitest";
import { ACTIONS } from "../../../api/actions";
import { changesOf, movesOf, pointsOf } from "./effect";
import {
  alongWith,
  argumentsOf,
  draftKey,
  fieldsOf,
  missing,
  type Order,
  renewed,
  rulesOf,
} from "./order";
import { recentReasons } from "./reason";

const place = (rank: number) => ({ rank, points: 100 });
const move = (teamName: string, from: number | null, to: number | null) => ({
  teamName,
  from: from === null ? null : place(from),
  to: to === null ? null : place(to),
});
const action = (action: string, fixed = {}, initial = {}) => ({ action, fixed, initial }) as Order;

describe("rank changes", () => {
  test("the removed team is not counted, the others rise by one", () => {
    const moves = [move("Otters", 1, null), move("A", 2, 1), move("B", 3, 2)];
    const expected = { rise: 2, risesByOne: true, fall: 0, fallsByOne: true };
    expect(movesOf(moves, "Otters")).toEqual(expected);
  });
  test("an award lifts its team, which is not counted, above others", () => {
    const moves = [move("Otters", 4, 1), move("A", 1, 2), move("B", 2, 4)];
    const expected = { rise: 0, risesByOne: true, fall: 2, fallsByOne: false };
    expect(movesOf(moves, "Otters")).toEqual(expected);
  });
  test("point changes are included: teams, amounts, and lower ranks", () => {
    const at = (rank: number, points: number) => ({ rank, points });
    const lost = (teamName: string, from: number, to: number) => {
      return { teamName, from: at(from, 500), to: at(to, 330) };
    };
    const moves = [lost("A", 1, 1), lost("B", 2, 3), lost("C", 4, 4), move("D", 3, 2)];
    const same = { ...move("D", 3, 2), from: at(3, 400), to: at(2, 400) };
    const { gain, lose } = pointsOf([...moves.slice(0, 3), same]);
    expect(lose).toEqual({ teams: ["A", "B", "C"], points: 170, isSame: true, moving: 1 });
    expect(gain.teams).toEqual([]);
    // A team that keeps its points is listed with its rank.
    expect(movesOf([...moves.slice(0, 3), same])).toMatchObject({ rise: 1, fall: 0 });
  });
  test("public ranks are shown only while they differ from the unfrozen ones", () => {
    const [a, b] = [move("A", 2, 1), move("B", 3, 2)];
    const names = (rows: readonly { teamName: string }[]) => rows.map((row) => row.teamName);
    const same = changesOf([b, a], [b, a]);
    expect(names(same.moving)).toEqual(["A", "B"]);
    expect([same.hasTruth, same.hasPublic]).toEqual([true, false]);
    const frozen = changesOf([a], [b, a]);
    expect([frozen.hasTruth, frozen.hasPublic]).toEqual([true, true]);
    expect(frozen.moving).toEqual([
      { teamName: "A", truth: a, shown: a },
      { teamName: "B", truth: undefined, shown: b },
    ]);
    const ofReader = changesOf(null, [a]);
    expect([ofReader.hasTruth, ofReader.hasPublic]).toEqual([false, true]);
    const reveal = changesOf([], [a]);
    expect([reveal.hasTruth, reveal.hasPublic]).toEqual([false, true]);
  });
  test("teams that leave come first, then the largest change of points, then the rank", () => {
    const gone = move("Gone", 9, null);
    const lost = { ...move("Lost", 4, 6), to: { rank: 6, points: 40 } };
    const moves = [move("B", 3, 2), lost, move("A", 2, 1), gone];
    const { crossing, moving } = changesOf(moves, moves);
    expect(crossing.map(({ teamName }) => teamName)).toEqual(["Gone"]);
    expect(moving.map(({ teamName }) => teamName)).toEqual(["Lost", "A", "B"]);
  });
});

test("recent reasons are offered once, those of the same action first", () => {
  const given = (action: string, reason: string | null) => ({ action, reason });
  const entries = [
    given("team.hide", "test team"),
    given("team.ban", "shared flags"),
    given("team.hide", "shared flags"),
    given("team.note", null),
    given("team.note", " "),
  ];
  expect(recentReasons(entries, "team.ban", "")).toEqual(["shared flags", "test team"]);
  expect(recentReasons(entries, "team.ban", "TEST")).toEqual(["test team"]);
  expect(recentReasons(entries, "team.ban", "test team"), "typed in full").toEqual([]);
});

describe("an open order", () => {
  const edit = (
    fields: Record<string, unknown>,
    version = "one",
    warning: string | null = null,
  ): Order => ({
    action: "challenge.edit",
    fixed: { challenge: "web", fields },
    basedOn: { version, read: async () => version, warning },
  });
  const open = edit({ value: 1 });
  test("has one draft, whose key never contains edited content such as flags", () => {
    expect(draftKey(edit({ flags: ["flag{x}"] }))).toBe(draftKey(open));
    const set = (open: boolean) =>
      draftKey(action("settings.set", { section: "registration", values: { open } }));
    expect(set(true)).toBe(set(false));
  });
  test("about several objects has one draft, in whatever order they were chosen", () => {
    const hide = (...teams: string[]) => draftKey(action("team.hide", { teams }));
    expect(hide("A", "B")).toBe(hide("B", "A"));
    expect(hide("A", "B")).not.toBe(hide("A"));
  });
  test("is rebuilt when its base text changes", () => {
    for (const next of [
      edit({ value: 2 }),
      edit({ value: 1 }, "two"),
      edit({ value: 1 }, "one", ""),
    ])
      expect(renewed(open, next)).toBe(next);
  });
  test("stays if it is the same or a different order", () => {
    const other = action("challenge.edit", { challenge: "b" });
    for (const next of [edit({ value: 1 }), other]) expect(renewed(open, next)).toBe(open);
    expect(renewed(null, open)).toBeNull();
  });
});

describe("orders", () => {
  test("fixed arguments are sent and have no field", () => {
    const order = action("solve.withdraw", { challenge: "a", team: "Otters" });
    expect(fieldsOf(order)).toEqual([]);
    expect(argumentsOf(order, {})).toEqual({ challenge: "a", team: "Otters" });
  });
  test("times have an offset, numbers are numbers, checked boxes are true", () => {
    const at = "2026-11-25T14:00:00.000Z";
    expect(argumentsOf(action("challenge.close"), { at })).toEqual({ at });
    expect(argumentsOf(action("team.award"), { points: "-20" })).toEqual({ points: -20 });
    expect(argumentsOf(action("event.resume"), { moves: true })).toEqual({ moves: true });
  });
  test("unchanged times are not sent", () => {
    const [end, later] = ["2026-11-25T14:00:00.000Z", "2026-11-25T14:15:00.000Z"];
    const order = action("event.times", {}, { freeze: end, end });
    expect(argumentsOf(order, { freeze: end, end: later })).toEqual({ end: later });
  });
  test("only an urgent notice ends, a number of minutes after it is posted", () => {
    const words = { title: "Doors", text: "Open." };
    const at = "2026-11-28T12:00";
    const posted = argumentsOf(action("notice.post"), { ...words, at, urgent: true, until: "15" });
    expect(posted).toMatchObject({ until: new Date(Date.parse(at) + 900_000).toISOString() });
    const now = argumentsOf(action("notice.post"), { ...words, urgent: true, until: "5" });
    const inMs = Date.parse(String(now.until)) - Date.now();
    expect(Math.abs(inMs - 300_000)).toBeLessThan(60_000);
    for (const more of [{ until: "5" }, { urgent: true as const }]) {
      const plain = argumentsOf(action("notice.post"), { ...words, ...more });
      expect(plain.until).toBeUndefined();
    }
  });
  test.each([
    ["team.rename", { name: " " }, ["name"]],
    ["team.award", { points: "many" }, ["points"]],
    ["team.award", { points: "" }, ["points"]],
    ["team.award", { points: "7" }, []],
    ["challenge.close", {}, []],
  ])("%s with %j misses %j", (name, values, expected) => {
    expect(missing(action(name), values)).toEqual(expected);
  });
  test.each([
    ["team.ban", true, true],
    ["team.test", false, false],
    ["team.reset", true, false],
    ["challenge.rejudge", true, true],
    ["challenge.hide", false, true],
    ["event.name", false, true],
    ["event.rules", false, false],
  ])("%s: reason %s, moves %s", (name, reason, moves) => {
    const { needsReason, movesTeams } = rulesOf(action(name));
    expect([needsReason, movesTeams]).toEqual([reason, moves]);
  });
});

test("each field of a dialog is an argument of its action", () => {
  for (const [name, { fields, optional }] of Object.entries(ACTIONS)) {
    const asked = fieldsOf(action(name));
    expect(Object.keys(fields), name).toEqual(
      expect.arrayContaining(asked.map(({ name }) => name)),
    );
    const left = asked.filter(({ required }) => !required).map(({ name }) => name);
    expect([...optional], name).toEqual(expect.arrayContaining(left));
  }
  const times = fieldsOf(action("solve.count", { team: "Otters" }));
  expect(times.map(({ required }) => required)).toEqual([true, true]);
});

describe("the note of a challenge", () => {
  const order: Order = {
    action: "challenge.status",
    fixed: { challenge: "web" },
    initial: { status: "broken", note: "No need to resend." },
  };
  const now = { status: "broken", note: "No need to resend." };
  test("is cleared by a new status, unless edited", () => {
    expect(alongWith(order, now, "status", "fixed")).toEqual({ note: "" });
    const typed = { ...now, note: "Works again since noon." };
    expect(alongWith(order, typed, "status", "fixed")).toEqual({});
    expect(alongWith(order, now, "note", "x")).toEqual({});
  });
  test("is restored with its status", () => {
    const fixed = { status: "fixed", note: "" };
    expect(alongWith(order, fixed, "status", "broken")).toEqual({ note: now.note });
    const typed = { status: "fixed", note: "Typed." };
    expect(alongWith(order, typed, "status", "broken")).toEqual({});
  });
});
