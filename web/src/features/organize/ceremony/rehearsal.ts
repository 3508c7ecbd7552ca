/**
 * A ceremony with made-up solves on the public board. They come from a seed and stay in the
 * browser.
 */
import type { Ceremony, SealedSolve } from "../../../api/organize-ceremony";
import {
  type Board,
  type BoardChallenge,
  compareStandings,
  rankTeams,
  type Team,
} from "../../../domain/board";
import { pointsOf } from "../../../domain/points";

/** Most solves that are made up for one team. */
const SOLVES_MAX = 5;
/** Share of the teams that solve something. */
const SHARE = 0.55;
const MINUTE_MS = 60_000;

/** Numbers from 0 to 1 that only depend on the seed (mulberry32). */
function numbersOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

interface MadeUp {
  readonly team: string;
  readonly challenge: BoardChallenge;
  readonly at: number;
}

function madeUp(board: Board, teams: readonly Team[], seed: number): MadeUp[] {
  const next = numbersOf(seed);
  const lastMs = Math.max(0, ...teams.map(({ lastSolveTs }) => lastSolveTs * 1000));
  const solves: MadeUp[] = [];
  for (const { teamName, solves: known } of teams) {
    const open = board.challenges.filter(({ id }) => !known.has(id));
    const count = next() < SHARE ? Math.ceil(next() * Math.min(SOLVES_MAX, open.length)) : 0;
    for (let number = 0; number < count; number += 1) {
      const [challenge] = open.splice(Math.floor(next() * open.length), 1);
      const at = Math.round(lastMs + (1 + next() * 60) * MINUTE_MS);
      if (challenge) solves.push({ team: teamName, challenge, at });
    }
  }
  return solves.sort((a, b) => a.at - b.at);
}

export function rehearsalOf(
  name: string,
  board: Board,
  students: readonly string[],
  seed: number,
): Ceremony {
  const ranked = rankTeams(board);
  const made = madeUp(
    board,
    ranked.map(({ team }) => team),
    seed,
  );
  const nsolves = new Map(board.challenges.map(({ id, nsolves }) => [id, nsolves]));
  const placed = made.map((one) => {
    const position = (nsolves.get(one.challenge.id) ?? 0) + 1;
    nsolves.set(one.challenge.id, position);
    return { ...one, position };
  });
  const final = new Map(
    board.challenges.map((one) => [one.id, { ...one, nsolves: nsolves.get(one.id) ?? 0 }]),
  );
  const worth = (id: string, position: number) => {
    const challenge = final.get(id);
    return challenge ? pointsOf(challenge, position) : 0;
  };
  const isStudent = new Set(students);
  const teams = ranked.map(({ team, points: frozenPoints }) => {
    const mine = placed.filter((one) => one.team === team.teamName);
    const solves = mine.flatMap(({ challenge, position, at }): SealedSolve[] => {
      const { id, challengeName, categories } = challenge;
      const points = worth(id, position);
      return points > 0 ? [{ challengeName, category: categories[0] ?? "", points, at }] : [];
    });
    const seen = [...team.solves].map(([id, { position }]) => worth(id, position));
    const points = team.award + seen.reduce((sum, one) => sum + one, 0);
    return {
      teamName: team.teamName,
      country: team.country,
      student: isStudent.has(team.teamName),
      divisions: [...(team.divisions ?? [])],
      frozenPoints,
      points,
      lastSolveAt: Math.round(team.lastSolveTs * 1000),
      nsolves: team.solves.size,
      solves,
      finalPoints: points + solves.reduce((sum, one) => sum + one.points, 0),
      finalRank: 0,
    };
  });
  const standings = teams.map(({ teamName, finalPoints: points, lastSolveAt, solves }) => {
    const lastMs = Math.max(lastSolveAt, ...solves.map(({ at }) => at));
    return { teamName, points, lastSolveTs: lastMs / 1000 };
  });
  const order = standings.sort(compareStandings).map(({ teamName }) => teamName);
  const ranks = new Map(order.map((teamName, index) => [teamName, index + 1]));
  return {
    name,
    divisions: [],
    teams: teams.map((team) => ({ ...team, finalRank: ranks.get(team.teamName) ?? 0 })),
  };
}
