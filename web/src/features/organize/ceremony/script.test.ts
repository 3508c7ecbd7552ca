import { expect, test } from "vitest";
import type { Ceremony, SealedSolve, SealedTeam } from "../../../api/organize-ceremony";
import { compareStandings } from "../../../domain/board";
import {
  beatsOf,
  divisionOf,
  endOf,
  isProven,
  type Moment,
  nextOf,
  previousOf,
  rowsAt,
  type Scope,
  scriptOf,
  startOf,
  teamsOf,
} from "./script";

/** Numbers below `max` that only depend on the seed. */
function dice(seed: number): (max: number) => number {
  let state = seed * 2654435761 + 1;
  return (max) => {
    state = (state * 1103515245 + 12345) % 2 ** 31;
    return Math.floor((state / 2 ** 31) * max);
  };
}

const NAMES = ["Ants", "ants", "～", "😀", "<b>", "__proto__"];

function solve(challengeName: string, points: number, at: number): SealedSolve {
  return { challengeName, category: "misc", points, at };
}

interface Given {
  points: number;
  last?: number;
  solves?: readonly SealedSolve[];
  student?: boolean;
  divisions?: readonly string[];
  frozen?: number;
}

/** A ceremony of teams in the frozen order; ranks and final points are computed. */
function ceremonyOf(given: Readonly<Record<string, Given>>): Ceremony {
  const teams = Object.entries(given).map(([teamName, it]): SealedTeam => {
    const solves = [...(it.solves ?? [])];
    const finalPoints = solves.reduce((sum, { points }) => sum + points, it.points);
    return {
      teamName,
      country: "IT",
      student: it.student ?? false,
      divisions: [...(it.divisions ?? [])],
      frozenPoints: it.frozen ?? it.points,
      points: it.points,
      lastSolveAt: it.last ?? 0,
      nsolves: 1,
      solves,
      finalRank: 0,
      finalPoints,
    };
  });
  const standing = ({ teamName, finalPoints: points, lastSolveAt, solves }: SealedTeam) => {
    const last = Math.max(lastSolveAt, ...solves.map(({ at }) => at));
    return { teamName, points, lastSolveTs: last / 1000 };
  };
  const order = [...teams].sort((a, b) => compareStandings(standing(a), standing(b)));
  const ranked = teams.map((team) => ({ ...team, finalRank: order.indexOf(team) + 1 }));
  return { name: "Test CTF", divisions: [{ id: "human", name: "No AI" }], teams: ranked };
}

/** A random ceremony with ties in points, times and both. */
function anyCeremony(seed: number): Ceremony {
  const roll = dice(seed);
  const names = [...NAMES, ...Array.from({ length: roll(30) }, (_, number) => `Team ${number}`)];
  const team = (): Given => ({
    points: roll(5) * 100 - 100,
    last: roll(4) * 500,
    student: roll(3) === 0,
    divisions: roll(3) === 1 ? ["human"] : [],
    solves: Array.from({ length: roll(5) }, (_, number) =>
      solve(`C${number}`, (roll(4) + 1) * 50, 2000 + roll(4) * 500),
    ).sort((a, b) => a.at - b.at),
  });
  return ceremonyOf(Object.fromEntries(names.map((name) => [name, team()])));
}

/** All moments, by one press after another. */
function moments(script: ReturnType<typeof scriptOf>): Moment[] {
  const all: Moment[] = [{ step: 0, beat: -1 }];
  for (;;) {
    const now = all.at(-1) as Moment;
    const next = nextOf(script, now);
    if (next === now) return all;
    all.push(next);
  }
}

test("the steps of any ceremony end at the final ranking, for all teams and for some", () => {
  for (let seed = 1; seed <= 300; seed += 1) {
    const ceremony = anyCeremony(seed);
    expect(isProven(ceremony), `seed ${seed}`).toBe(true);
    for (const scope of ["all", "students", "division:human"] satisfies Scope[]) {
      const teams = teamsOf(ceremony, scope);
      const script = scriptOf(ceremony, scope, 1 + (seed % 40));
      const rows = rowsAt(script, endOf(script, script.steps.length - 1));
      const expected = [...teams].sort((a, b) => a.finalRank - b.finalRank);
      const names = rows.map(({ team }) => team.teamName);
      expect(names).toEqual(expected.map(({ teamName }) => teamName));
      expect(rows.map(({ points }) => points)).toEqual(
        expected.map(({ finalPoints }) => finalPoints),
      );
      expect(rows.every(({ isSettled, left }) => isSettled && left === 0)).toBe(true);
    }
  }
});

test("a settled place never changes, and a hidden solve never moves its team down", () => {
  for (let seed = 1; seed <= 60; seed += 1) {
    const script = scriptOf(anyCeremony(seed), "all", 99);
    const settled = new Map<number, string>();
    for (const [step, { kind }] of script.steps.entries()) {
      if (kind !== "start" && kind !== "place") continue;
      const beats = beatsOf(script.steps[step]);
      for (const [beat, one] of beats.entries()) {
        if (one.kind === "solve") expect(one.to).toBeLessThanOrEqual(one.from);
        else settled.set(one.place, one.team.teamName);
        const rows = rowsAt(script, { step, beat });
        for (const [place, name] of settled) expect(rows[place - 1]?.team.teamName).toBe(name);
      }
    }
    expect(settled.size).toBe(script.final.length);
  }
});

const FOUR = ceremonyOf({
  Ants: { points: 400, frozen: 450 },
  Bees: { points: 300 },
  Cats: { points: 200, solves: [solve("Heap", 50, 1), solve("Maze", 200, 2)] },
  Dogs: { points: 100, student: true },
});

test("one key settles a place; during its solves, a second press goes to their end", () => {
  const script = scriptOf(FOUR, "all", 3);
  const kinds = script.steps.map((step) =>
    "place" in step ? `${step.kind} ${step.place}` : step.kind,
  );
  expect(kinds).toEqual([
    "opening",
    "frozen",
    "start",
    "place 3",
    "card 3",
    "place 2",
    "card 2",
    "place 1",
    "card 1",
    "podium",
    "board",
    "board",
    "publish",
  ]);
  const order = (now: Moment) => rowsAt(script, now).map(({ team }) => team.teamName);
  const start = endOf(script, 2);
  expect(rowsAt(script, endOf(script, 1))[0]?.points).toBe(450);
  expect(rowsAt(script, start)[0]?.points).toBe(400);
  const begun = nextOf(script, start);
  expect(begun).toEqual({ step: 3, beat: -1 });
  expect(order(begun)).toEqual(["Ants", "Bees", "Cats", "Dogs"]);
  expect(order({ step: 3, beat: 0 })).toEqual(["Ants", "Bees", "Cats", "Dogs"]);
  expect(order({ step: 3, beat: 1 })).toEqual(["Cats", "Ants", "Bees", "Dogs"]);
  const over = nextOf(script, begun);
  expect(rowsAt(script, over)[2]).toMatchObject({ isSettled: true, team: { teamName: "Bees" } });
  expect(nextOf(script, over).step).toBe(4);
});

test("a division has its own places, and its board comes after that of all teams", () => {
  const ceremony = ceremonyOf({
    Ants: { points: 400 },
    Bees: { points: 300, divisions: ["human"] },
    Cats: { points: 200, solves: [solve("Heap", 150, 1)], divisions: ["human"] },
  });
  const script = scriptOf(ceremony, "division:human", 2);
  expect(script.frozen.map(({ team }) => team.teamName)).toEqual(["Bees", "Cats"]);
  expect(script.final.map(({ team }) => team.teamName)).toEqual(["Cats", "Bees"]);
  const boards = script.steps.flatMap((step) =>
    step.kind === "board" ? [[step.scope, ...step.rows.map(({ team }) => team.teamName)]] : [],
  );
  expect(boards).toEqual([
    ["all", "Ants", "Cats", "Bees"],
    ["division:human", "Cats", "Bees"],
  ]);
  expect(divisionOf(ceremony, "division:human")?.name).toBe("No AI");
  expect(divisionOf(ceremony, "students")).toBeUndefined();
});

test("back goes to the end of the previous step, from any moment", () => {
  const script = scriptOf(FOUR, "all", 3);
  for (const now of moments(script)) {
    const before = previousOf(script, now);
    expect(before).toEqual(endOf(script, Math.max(0, now.step - 1)));
  }
  expect(previousOf(script, { step: 0, beat: -1 }).step).toBe(0);
});

test("the first place to announce is the lowest that changes, at most 20", () => {
  expect(startOf(FOUR, "all")).toBe(3);
  const many = Object.fromEntries(
    Array.from({ length: 40 }, (_, number) => [`Team ${number}`, { points: 4000 - number * 10 }]),
  );
  expect(startOf(ceremonyOf(many), "all"), "the podium").toBe(3);
  const last = { "Team 39": { points: 3610, solves: [solve("Heap", 1, 1)] } };
  expect(startOf(ceremonyOf({ ...many, ...last }), "all")).toBe(20);
  expect(startOf(ceremonyOf({}), "all")).toBe(0);
});

test("a ranking that the steps do not reach is reported", () => {
  const [first, ...others] = FOUR.teams as [SealedTeam, ...SealedTeam[]];
  const wrong = { ...FOUR, teams: [{ ...first, finalPoints: 1 }, ...others] };
  expect(isProven(wrong)).toBe(false);
});
