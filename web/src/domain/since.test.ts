/** The difference of two views. */
import { expect, test } from "vitest";
import { type Board, type BoardChallenge, rankTeams, type Solve, type Team } from "./board";
import { changesSince, isComparable, lookOf, parseLook } from "./since";

const challenge = (id: string, more: Partial<BoardChallenge> = {}): BoardChallenge => ({
  ...{ id, challengeName: `The ${id}`, challengeType: "dynamic", maxValue: 500, minValue: 50 },
  ...{ speedrunValues: [], categories: ["web"], nsolves: 0, fbTs: 0 },
  ...more,
});

function team(teamName: string, positions: Record<string, number>, award = 0): Team {
  const solves = new Map(
    Object.entries(positions).map(([id, position]): [string, Solve] => [id, { position, ts: 1 }]),
  );
  return { teamName, country: "IT", solves, lastSolveTs: 1, award };
}

function board(challenges: BoardChallenge[], ...teams: Team[]): Board {
  return { seq: 1, generation: "g", challenges, teams };
}

/** A view as it is read back from the storage. */
function stored(view: Board, viewer: string | null = null) {
  const look = parseLook(JSON.stringify(lookOf(view, viewer, 5)));
  if (!look) throw new Error("it is a view");
  return look;
}

const pointsOf = (view: Board, name: string) =>
  rankTeams(view).find(({ team }) => team.teamName === name)?.points ?? 0;

const race = (nsolves: number) =>
  challenge("race", { challengeType: "speedrun", speedrunValues: [30, 20, 10], nsolves });

test("solves, falls with their solvers, awards and withdrawn solves add up", () => {
  const before = board(
    [challenge("heap", { nsolves: 2 }), race(2)],
    team("Ants", { heap: 1, race: 2 }, 10),
    team("Bees", { heap: 2, race: 1 }),
    team("Crabs", {}),
  );
  const after = board(
    [
      challenge("heap", { nsolves: 4 }),
      race(1),
      challenge("new", { challengeType: "static", maxValue: 100, nsolves: 1 }),
    ],
    team("Ants", { heap: 1, race: 1, new: 1 }, -10),
    team("Bees", {}),
    team("Crabs", { heap: 3 }),
    team("Ducks", { heap: 2 }),
  );
  const look = stored(before);
  const changes = changesSince(look, after, "Ants");
  expect(changes).toEqual([
    { kind: "solve", id: "new", name: "The new", points: 100, by: [] },
    { kind: "award", id: "", name: "", points: -20, by: [] },
    { kind: "value", id: "heap", name: "The heap", points: -65, by: ["Ducks", "Crabs"] },
    { kind: "value", id: "race", name: "The race", points: 10, by: [] },
  ]);
  expect(changesSince(look, after, "Bees").map(({ kind }) => kind)).toEqual([
    "withdrawn",
    "withdrawn",
  ]);
  for (const name of ["Ants", "Bees", "Crabs"]) {
    const sum = changesSince(look, after, name).reduce((all, { points }) => all + points, 0);
    expect(sum, name).toBe(pointsOf(after, name) - pointsOf(before, name));
  }
  expect(changesSince(look, after, "Ducks"), "it was not in the view").toEqual([]);
  expect(changesSince(look, before, "Ants")).toEqual([]);
});

test("a solve that the freeze hid is new when it is revealed, although it is older", () => {
  const frozen = board(
    [challenge("heap", { nsolves: 1 })],
    team("Ants", { heap: 1 }),
    team("Bees", {}),
  );
  const look = { ...stored(frozen), atMs: 9_000_000 };
  const revealed = board(
    [challenge("heap", { nsolves: 2 })],
    team("Ants", { heap: 1 }),
    team("Bees", { heap: 2 }),
  );
  expect(changesSince(look, frozen, "Ants"), "nothing leaks during the freeze").toEqual([]);
  expect(changesSince(look, revealed, "Ants")).toMatchObject([{ kind: "value", by: ["Bees"] }]);
  expect(changesSince(look, revealed, "Bees")).toMatchObject([{ kind: "solve", points: 459 }]);
});

test("a hidden challenge takes its points along", () => {
  const before = board([challenge("heap", { nsolves: 1 })], team("Ants", { heap: 1 }));
  const after = board([], team("Ants", {}));
  expect(changesSince(stored(before), after, "Ants")).toEqual([
    { kind: "withdrawn", id: "heap", name: "The heap", points: -500, by: [] },
  ]);
});

test("views of other viewers or journals, and invalid ones, are not compared", () => {
  const view = board([], team("Ants", {}));
  const look = stored(view, "Ants");
  expect(isComparable(look, view, "Ants")).toBe(true);
  expect(isComparable(look, view, null)).toBe(false);
  expect(isComparable(look, { ...view, generation: "other" }, "Ants")).toBe(false);
  for (const text of [null, "", "{", "7", "null", '{"atMs":1}']) expect(parseLook(text)).toBe(null);
});

test("a view with too many solves is not stored", () => {
  const many = Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`c${at}`, 1]));
  const challenges = Object.keys(many).map((id) => challenge(id));
  const teams = Array.from({ length: 201 }, (_, at) => team(`Team ${at}`, many));
  expect(lookOf(board(challenges, ...teams), null, 1)).toBe(null);
});
