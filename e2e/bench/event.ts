// Played events in wire format: a real one with 1,200 teams and 36 challenges if its data is
// available (`FLAGSHIP_TEST_DATA`), and a generated one with 2,000 teams and 75 challenges.

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

export interface Solve {
  teamName: string;
  challengeId: string;
  ts: number;
}

interface Played {
  challenges: { id: string; name: string; category: string }[];
  teams: string[];
  /** Distinct solves, in chronological order. */
  solves: Solve[];
}

const DATA = process.env.FLAGSHIP_TEST_DATA ?? join(import.meta.dirname, "../../../shared/data");
const REAL = join(DATA, "scoreboards/defcon-quals-2019.json");
const SEED = 2019;
/** Size of the made-up event, as of the largest real ones. */
const TEAMS = 2000;
const CHALLENGES = 75;
const CATEGORIES = ["web", "pwn", "crypto", "rev", "misc", "forensics"];

/** Deterministic random numbers from 0 to 1 (mulberry32). */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function madeUp(): Played {
  const next = random(SEED);
  const challenges = Array.from({ length: CHALLENGES }, (_, index) => ({
    id: `challenge-${index}`,
    name: `Challenge ${index}`,
    category: CATEGORIES[index % CATEGORIES.length] ?? "misc",
  }));
  const teams = Array.from({ length: TEAMS }, (_, index) => `Team ${index}`);
  const solves: Solve[] = [];
  for (const teamName of teams) {
    const strength = next() ** 3;
    for (const [index, { id }] of challenges.entries()) {
      const isSolved = next() < strength * (1 - index / CHALLENGES) + 0.02;
      if (isSolved)
        solves.push({ teamName, challengeId: id, ts: 1_557_532_813 + next() * 172_800 });
    }
  }
  return { challenges, teams, solves: solves.sort((a, b) => a.ts - b.ts) };
}

function real(): Played {
  const data: {
    challenges: Played["challenges"];
    teams: { name: string }[];
    events: [number, string, string, boolean][];
  } = JSON.parse(readFileSync(REAL, "utf8"));
  const seen = new Set<string>();
  const solves = data.events.flatMap(([ms, teamName, challengeId]) => {
    const key = `${teamName}\n${challengeId}`;
    if (seen.has(key)) return [];
    seen.add(key);
    return [{ teamName, challengeId, ts: ms / 1000 }];
  });
  return { challenges: data.challenges, teams: data.teams.map(({ name }) => name), solves };
}

/** Generates an event of the largest size that the board is measured with. */
export function largeEvent(): Played & { source: string } {
  return { ...madeUp(), source: `made up, seed ${SEED}` };
}

/** Loads or generates an event; `source` names its origin. */
export function playedEvent(): Played & { source: string } {
  const isRequired = process.env.FLAGSHIP_TEST_DATA !== undefined;
  if (isRequired || existsSync(REAL)) return { ...real(), source: "DEF CON CTF Qualifier 2019" };
  return largeEvent();
}

/** Scoreboard snapshot after the first `count` solves. */
export function snapshotAfter({ challenges, teams, solves }: Played, count: number) {
  const places = new Map(challenges.map(({ id }, index) => [id, index]));
  const counts = challenges.map(() => ({ nsolves: 0, fbTs: 0 }));
  const rows = new Map(teams.map((name) => [name, { solves: {}, last: 0 }]));
  for (const { teamName, challengeId, ts } of solves.slice(0, count)) {
    const place = places.get(challengeId) ?? 0;
    const counted = counts[place];
    const row = rows.get(teamName);
    if (!counted || !row) continue;
    counted.nsolves += 1;
    if (counted.nsolves === 1) counted.fbTs = ts;
    Object.assign(row.solves, { [place]: [counted.nsolves, ts] });
    row.last = ts;
  }
  return {
    event: "scoreboard",
    seq: count,
    generation: "bench",
    challenges: challenges.map(({ id, name, category }, index) => ({
      id,
      challengeName: name,
      challengeType: "dynamic",
      maxValue: 500,
      minValue: 50,
      speedrunValues: [],
      categories: [category],
      ...counts[index],
    })),
    scoreboard: [...rows].map(([name, { solves: own, last }]) => [name, "IT", own, last]),
  };
}
