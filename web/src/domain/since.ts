/**
 * The difference of two views of the board for one team. Both views are what the viewer saw, so a
 * solve that the freeze hid appears when it is revealed, whatever its time. Pure.
 */
import type { Board, BoardChallenge, Team } from "./board";
import { pointsOf } from "./points";

/** A view of the board in compact form: it has every solve of every team. */
export interface Look {
  readonly generation: string | null;
  /** The logged-in team, which sees its own later solves; null for a visitor. */
  readonly viewer: string | null;
  readonly atMs: number;
  readonly challenges: readonly BoardChallenge[];
  /** Name, award, and for each solve the index of its challenge and its position. */
  readonly teams: readonly (readonly [string, number, readonly number[]])[];
}

/** A reason why a team's score changed. The points of all reasons add up to the change. */
export interface Change {
  readonly kind: "solve" | "withdrawn" | "value" | "award";
  /** The challenge's ID; empty for an award. */
  readonly id: string;
  /** The challenge's name; empty for an award. */
  readonly name: string;
  readonly points: number;
  /** Other teams that solved the challenge since, in order. */
  readonly by: readonly string[];
}

/** Number of solves above which a view is not stored. */
const SOLVES_MAX = 20_000;

/** The compact form of a view; null if it is too large. */
export function lookOf(board: Board, viewer: string | null, atMs: number): Look | null {
  const places = new Map(board.challenges.map(({ id }, index) => [id, index]));
  const solveCount = board.teams.reduce((sum, { solves }) => sum + solves.size, 0);
  if (solveCount > SOLVES_MAX) return null;
  const teams = board.teams.map(({ teamName, award, solves }) => {
    const flat: number[] = [];
    solves.forEach(({ position }, id) => {
      const place = places.get(id);
      if (place !== undefined) flat.push(place, position);
    });
    return [teamName, award, flat] as const;
  });
  return { generation: board.generation, viewer, atMs, challenges: board.challenges, teams };
}

function isLook(value: unknown): value is Look {
  if (typeof value !== "object" || value === null) return false;
  if (!("atMs" in value && "challenges" in value && "teams" in value)) return false;
  const { atMs, challenges, teams } = value;
  return typeof atMs === "number" && Array.isArray(challenges) && Array.isArray(teams);
}

/** Parses a stored view; null if it is missing or invalid. */
export function parseLook(text: string | null): Look | null {
  try {
    const value: unknown = JSON.parse(text ?? "null");
    return isLook(value) ? value : null;
  } catch {
    return null;
  }
}

/** True if a view can be compared with a board: it is of the same journal and viewer. */
export function isComparable(look: Look, board: Board, viewer: string | null): boolean {
  return look.generation === board.generation && look.viewer === viewer;
}

/** The positions of a team's solves in a stored view, by challenge ID. */
function positionsOf({ challenges }: Look, solves: readonly number[]): Map<string, number> {
  const positions = new Map<string, number>();
  for (let at = 0; at + 1 < solves.length; at += 2) {
    const id = challenges[solves[at] ?? -1]?.id;
    const position = solves[at + 1];
    if (id !== undefined && position !== undefined) positions.set(id, position);
  }
  return positions;
}

/** The teams that solved a challenge since a view, in order of position. */
function solversSince(look: Look, board: Board, id: string, except: string): string[] {
  const index = look.challenges.findIndex((one) => one.id === id);
  const known = new Set<string>();
  for (const [name, , solves] of look.teams) {
    for (let at = 0; at < solves.length; at += 2) if (solves[at] === index) known.add(name);
  }
  return board.teams
    .flatMap(({ teamName, solves }) => {
      const position = solves.get(id)?.position;
      const isNew = position !== undefined && !known.has(teamName) && teamName !== except;
      return isNew ? [{ teamName, position }] : [];
    })
    .sort((a, b) => a.position - b.position)
    .map(({ teamName }) => teamName);
}

function byId(challenges: readonly BoardChallenge[]): ReadonlyMap<string, BoardChallenge> {
  return new Map(challenges.map((one) => [one.id, one]));
}

/** Reasons by challenge: new solves, withdrawn ones, and solves whose value changed. */
function changesOfSolves(
  look: Look,
  before: ReadonlyMap<string, number>,
  board: Board,
  team: Team,
) {
  const then = byId(look.challenges);
  const now = byId(board.challenges);
  const pointsThen = (id: string) => {
    const challenge = then.get(id);
    const position = before.get(id);
    return challenge && position !== undefined ? pointsOf(challenge, position) : 0;
  };
  const pointsNow = (id: string) => {
    const challenge = now.get(id);
    const position = team.solves.get(id)?.position;
    return challenge && position !== undefined ? pointsOf(challenge, position) : 0;
  };
  const ids = [...new Set([...team.solves.keys(), ...before.keys()])];
  return ids.flatMap((id): Change[] => {
    const points = pointsNow(id) - pointsThen(id);
    const name = (now.get(id) ?? then.get(id))?.challengeName ?? id;
    const change = (kind: Change["kind"], by: string[] = []) => [{ kind, id, name, points, by }];
    if (!before.has(id)) return now.has(id) ? change("solve") : [];
    if (!team.solves.has(id)) return change("withdrawn");
    if (points === 0) return [];
    // Other changes, such as a withdrawn solve, have no solver.
    const isFall = points < 0 && now.get(id)?.challengeType === "dynamic";
    return change("value", isFall ? solversSince(look, board, id, team.teamName) : []);
  });
}

const ORDER = ["solve", "withdrawn", "award", "value"] as const;

/**
 * The reasons why a team's score differs from that of an earlier view: its solves first, then the
 * largest changes. Empty if nothing changed, or if the view does not have the team.
 */
export function changesSince(look: Look, board: Board, teamName: string): readonly Change[] {
  const before = look.teams.find(([name]) => name === teamName);
  const team = board.teams.find((one) => one.teamName === teamName);
  if (!before || !team) return [];
  const [, award, solves] = before;
  const changes = changesOfSolves(look, positionsOf(look, solves), board, team);
  const awarded = team.award - award;
  if (awarded !== 0) changes.push({ kind: "award", id: "", name: "", points: awarded, by: [] });
  const rank = ({ kind, points }: Change) => ORDER.indexOf(kind) * 1e12 - Math.abs(points);
  return changes.sort((a, b) => rank(a) - rank(b));
}
