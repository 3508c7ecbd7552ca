/** The board's state in the client, and its ranking. Unchanged rows keep their identity. */
import type { components } from "../api/schema";
import { pointsOf } from "./points";
import { compareCodePoints } from "./text";

/** A challenge of the board's snapshot. `fbTs` in epoch seconds, 0 without solves. */
export type BoardChallenge = components["schemas"]["Column"];

/** One solve: `position` from 1, `ts` in epoch seconds with up to three decimals. */
export interface Solve {
  readonly position: number;
  readonly ts: number;
  /** True for the viewer's own solve during the freeze. Its position ignores hidden solves. */
  readonly later?: true;
}

/** A team's row; `solves` by challenge id. */
export interface Team {
  readonly teamName: string;
  readonly country: string;
  readonly solves: ReadonlyMap<string, Solve>;
  readonly lastSolveTs: number;
  readonly award: number;
  /** IDs of the team's public divisions; missing if it has none. */
  readonly divisions?: readonly string[];
  /** True if the award has the cost of hints that the freeze hides from others. */
  readonly laterAward?: true;
}

/** A board: the challenges and teams in the snapshot's order. */
export interface Board {
  readonly seq: number | null;
  readonly generation: string | null;
  readonly challenges: readonly BoardChallenge[];
  readonly teams: readonly Team[];
}

/** A team with its rank. Ranks are distinct, because the order is total. */
export interface RankedTeam {
  readonly team: Team;
  readonly rank: number;
  readonly points: number;
}

/** The values that the order of teams depends on. */
export interface Standing {
  readonly points: number;
  readonly lastSolveTs: number;
  readonly teamName: string;
}

/** Orders by points descending, then last solve in milliseconds, then name by code point. */
export function compareStandings(a: Standing, b: Standing): number {
  if (a.points !== b.points) return b.points - a.points;
  if (a.lastSolveTs !== b.lastSolveTs) {
    const earlier = Math.round(a.lastSolveTs * 1000) - Math.round(b.lastSolveTs * 1000);
    if (earlier !== 0) return earlier;
  }
  return compareCodePoints(a.teamName, b.teamName);
}

/** Points of a challenge for the solver at a position, which affects only speedruns. */
function pointsByPosition(challenge: BoardChallenge): (position: number) => number {
  if (challenge.challengeType === "speedrun") return (position) => pointsOf(challenge, position);
  const points = pointsOf(challenge);
  return () => points;
}

/** All teams with their points, including awards, in order of rank. */
export function rankTeams(board: Board): RankedTeam[] {
  const worths = new Map(board.challenges.map((one) => [one.id, pointsByPosition(one)]));
  const standings = board.teams.map((team) => {
    let points = team.award;
    team.solves.forEach(({ position }, id) => {
      points += worths.get(id)?.(position) ?? 0;
    });
    return { team, points, teamName: team.teamName, lastSolveTs: team.lastSolveTs };
  });
  return standings
    .sort(compareStandings)
    .map(({ team, points }, index) => ({ team, rank: index + 1, points }));
}

/** The rows of one page, counted from 1, and the team's own row if it is on another page. */
export function boardWindow(
  ranked: readonly RankedTeam[],
  page: number,
  rowsMax: number,
  ownTeam: string | null,
): { rows: readonly RankedTeam[]; own: RankedTeam | null; pages: number; page: number } {
  const pages = Math.max(1, Math.ceil(ranked.length / rowsMax));
  const shown = Math.min(Math.max(1, page), pages);
  const rows = ranked.slice((shown - 1) * rowsMax, shown * rowsMax);
  const isOwn = (row: RankedTeam) => row.team.teamName === ownTeam;
  const own = ownTeam === null || rows.some(isOwn) ? null : (ranked.find(isOwn) ?? null);
  return { rows, own, pages, page: shown };
}

/** Groups members by name; groups and members keep the order of first appearance. */
export function groupBy<T>(members: readonly T[], nameOf: (member: T) => string): [string, T[]][] {
  const groups = new Map<string, T[]>();
  for (const member of members) {
    const group = groups.get(nameOf(member));
    if (group) group.push(member);
    else groups.set(nameOf(member), [member]);
  }
  return [...groups];
}

/** Challenges grouped by their first category. */
export function groupByCategory<T extends { categories: readonly string[] }>(
  challenges: readonly T[],
): { category: string; challenges: T[] }[] {
  const groups = groupBy(challenges, ({ categories }) => categories[0] ?? "");
  return groups.map(([category, members]) => ({ category, challenges: members }));
}
