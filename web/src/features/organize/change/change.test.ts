/** Orders and their effect, without the page. */
import { describe, expect, test } from "vitest";
import { ACTIONS } from "../../../api/actions";
import { movesOf, pointsOf, rowsOf } from "./effect";
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

const place = (rank: number) => ({ rank, points: 100 });
const move = (teamName: string, from: number | null, to: number | null) => ({
  teamName,
  from: from === null ? null : place(from),
  to: to === null ? null : place(to),
});
const action = (action: string, fixed = {}, initial = {}) => ({ action, fixed, initial }) as Order;

describe("who moves", () => {
  test("the team that goes is not counted, the others rise by one", () => {
    const moves = [move("Otters", 1, null), move("A", 2, 1), move("B", 3, 2)];
    const expected = { rise: 2, risesByOne: true, fall: 0, fallsByOne: true };
    expect(movesOf(moves, "Otters")).toEqual(expected);
  });
  test("an award lifts its team, which is not counted, over others", () => {
    const moves = [move("Otters", 4, 1), move("A", 1, 2), move("B", 2, 4)];
    const expected = { rise: 0, risesByOne: true, fall: 2, fallsByOne: false };
    expect(movesOf(moves, "Otters")).toEqual(expected);
  });
  test("points count too: who loses, how much, and who falls with it", () => {
    const at = (rank: number, points: number) => ({ rank, points });
    const lost = (teamName: string, from: number, to: number) => {
      return { teamName, from: at(from, 500), to: at(to, 330) };
    };
    const moves = [lost("A", 1, 1), lost("B", 2, 3), lost("C", 4, 4), move("D", 3, 2)];
    const same = { ...move("D", 3, 2), from: at(3, 400), to: at(2, 400) };
    const { gain, lose } = pointsOf([...moves.slice(0, 3), same]);
    expect(lose).toEqual({ teams: ["A", "B", "C"], points: 170, isSame: true, moving: 1 });
    expect(gain.teams).toEqual([]);
    // A team that keeps its points is told by its rank.
    expect(movesOf([...moves.slice(0, 3), same])).toMatchObject({ rise: 1, fall: 0 });
  });
  test("truth beside what players see; who moves there alone comes last", () => {
    const [a, b] = [move("A", 2, 1), move("B", 3, 2)];
    expect(rowsOf([a], [b, a])).toEqual([
      { teamName: "A", truth: a, shown: a },
      { teamName: "B", truth: undefined, shown: b },
    ]);
  });
});

describe("an order that is open", () => {
  const edit = (
    fields: Record<string, unknown>,
    version = "one",
    warning: string | null = null,
  ): Order => ({
    action: "challenge.edit",
    fixed: { challenge: "web", fields },
    madeOf: { version, read: async () => version, warning },
  });
  const open = edit({ value: 1 });
  test("has one draft, whatever an edit writes: no flag is in the name of that", () => {
    expect(draftKey(edit({ flags: ["flag{x}"] }))).toBe(draftKey(open));
    const set = (open: boolean) =>
      draftKey(action("settings.set", { section: "registration", values: { open } }));
    expect(set(true)).toBe(set(false));
  });
  test("is made anew when the text that it was made of has changed", () => {
    for (const next of [
      edit({ value: 2 }),
      edit({ value: 1 }, "two"),
      edit({ value: 1 }, "one", ""),
    ])
      expect(renewed(open, next)).toBe(next);
  });
  test("stays if it is the same, or another one", () => {
    const other = action("challenge.edit", { challenge: "b" });
    for (const next of [edit({ value: 1 }), other]) expect(renewed(open, next)).toBe(open);
    expect(renewed(null, open)).toBeNull();
  });
});

describe("orders", () => {
  test("what is fixed is sent and not asked for", () => {
    const order = action("solve.withdraw", { challenge: "a", team: "Otters" });
    expect(fieldsOf(order)).toEqual([]);
    expect(argumentsOf(order, {})).toEqual({ challenge: "a", team: "Otters" });
  });
  test("a time is sent with its offset, a number is one, a tick is true", () => {
    const at = "2026-11-25T14:00:00.000Z";
    expect(argumentsOf(action("challenge.close"), { at })).toEqual({ at });
    expect(argumentsOf(action("team.award"), { points: "-20" })).toEqual({ points: -20 });
    expect(argumentsOf(action("event.resume"), { moves: true })).toEqual({ moves: true });
  });
  test("times that were left as they were are not sent", () => {
    const [end, later] = ["2026-11-25T14:00:00.000Z", "2026-11-25T14:15:00.000Z"];
    const order = action("event.times", {}, { freeze: end, end });
    expect(argumentsOf(order, { freeze: end, end: later })).toEqual({ end: later });
  });
  test("an urgent notice ends so many minutes after it is posted, another one never", () => {
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

test("what a sheet asks for is an argument of its action, needed or not", () => {
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
  test("goes with a new status, unless one was typed", () => {
    expect(alongWith(order, now, "status", "fixed")).toEqual({ note: "" });
    const typed = { ...now, note: "Works again since noon." };
    expect(alongWith(order, typed, "status", "fixed")).toEqual({});
    expect(alongWith(order, now, "note", "x")).toEqual({});
  });
  test("is there again with the status that it is about", () => {
    const fixed = { status: "fixed", note: "" };
    expect(alongWith(order, fixed, "status", "broken")).toEqual({ note: now.note });
    const typed = { status: "fixed", note: "Typed." };
    expect(alongWith(order, typed, "status", "broken")).toEqual({});
  });
});
