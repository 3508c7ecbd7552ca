/**
 * The steps of a ceremony, as pure functions. From the last place up, the team at the place counts
 * its hidden solves one by one. If it moves up, the next team takes the place; a team without a
 * hidden solve left settles there. Solves only move teams up, so a settled place is the final one.
 */
import type { Ceremony, SealedSolve, SealedTeam } from "../../../api/organize-ceremony";
import { compareStandings } from "../../../domain/board";

export type Scope = "all" | "students" | `division:${string}`;

export const scopeOf = (division: string): Scope => `division:${division}`;

/** The division of a scope; undefined for all teams or students. */
export function divisionOf({ divisions }: Ceremony, scope: Scope) {
  return divisions.find(({ id }) => scopeOf(id) === scope);
}

export function isScope(value: unknown): value is Scope {
  if (typeof value !== "string") return false;
  return value === "all" || value === "students" || value.startsWith("division:");
}

/** A change of the board: a hidden solve, or a settled place. Places are counted from 1. */
export type Beat =
  | {
      readonly kind: "solve";
      readonly team: SealedTeam;
      readonly solve: SealedSolve;
      readonly from: number;
      readonly to: number;
    }
  | { readonly kind: "settle"; readonly team: SealedTeam; readonly place: number };

export type Step =
  | { readonly kind: "opening" | "frozen" | "podium" | "publish" }
  /** The final values, and all places below the first one to announce. */
  | { readonly kind: "start"; readonly beats: readonly Beat[] }
  | { readonly kind: "place"; readonly place: number; readonly beats: readonly Beat[] }
  | { readonly kind: "card"; readonly place: number; readonly row: Row }
  | { readonly kind: "board"; readonly scope: Scope; readonly rows: readonly Row[] };

/** A row of the board at some moment. */
export interface Row {
  readonly team: SealedTeam;
  readonly points: number;
  readonly nsolves: number;
  /** Number of hidden solves. */
  readonly left: number;
  readonly isSettled: boolean;
}

export interface Script {
  readonly scope: Scope;
  /** The first place to announce. */
  readonly from: number;
  /** The frozen board. */
  readonly frozen: readonly Row[];
  /** The board with the final values, before the first hidden solve. */
  readonly start: readonly Row[];
  /** The final board. */
  readonly final: readonly Row[];
  readonly steps: readonly Step[];
}

/** Number of places that get a card. */
const CARDS = 3;
/** The first place to announce, unless fewer change. */
const FROM = 20;

interface Live {
  readonly team: SealedTeam;
  points: number;
  lastMs: number;
  nsolves: number;
  next: number;
}

function compareLive(a: Live, b: Live): number {
  const standing = ({ team: { teamName }, points, lastMs }: Live) => ({
    teamName,
    points,
    lastSolveTs: lastMs / 1000,
  });
  return compareStandings(standing(a), standing(b));
}

function liveOf(team: SealedTeam): Live {
  const { points, lastSolveAt: lastMs, nsolves } = team;
  return { team, points, lastMs, nsolves, next: 0 };
}

const rowOf = ({ team, points, nsolves, next }: Live, isSettled: boolean): Row => ({
  team,
  points,
  nsolves,
  left: team.solves.length - next,
  isSettled,
});

/** Settles one place of `order`, and changes its teams. */
function settle(order: Live[], place: number): Beat[] {
  const beats: Beat[] = [];
  for (;;) {
    const live = order[place - 1];
    if (!live) return beats;
    const { team } = live;
    const solve = team.solves[live.next];
    if (!solve) {
      beats.push({ kind: "settle", team, place });
      return beats;
    }
    live.next += 1;
    live.points += solve.points;
    live.nsolves += 1;
    live.lastMs = Math.max(live.lastMs, solve.at);
    order.splice(place - 1, 1);
    const above = order.findIndex((other) => compareLive(live, other) < 0);
    order.splice(above < 0 ? order.length : above, 0, live);
    beats.push({ kind: "solve", team, solve, from: place, to: order.indexOf(live) + 1 });
  }
}

export function teamsOf({ teams }: Ceremony, scope: Scope): readonly SealedTeam[] {
  if (scope === "all") return teams;
  if (scope === "students") return teams.filter(({ student }) => student);
  return teams.filter(({ divisions }) => divisions.some((id) => scopeOf(id) === scope));
}

/** Plays the board from the last place to the first. */
function play(teams: readonly SealedTeam[]) {
  const order = teams.map(liveOf).sort(compareLive);
  const start = order.map((live) => rowOf(live, false));
  const beats = new Map<number, readonly Beat[]>();
  for (let place = order.length; place > 0; place -= 1) beats.set(place, settle(order, place));
  return { start, beats, final: order.map((live) => rowOf(live, true)) };
}

/** The lowest place that the hidden solves change, or a higher one that is still worth a show. */
export function startOf(ceremony: Ceremony, scope: Scope): number {
  const teams = teamsOf(ceremony, scope);
  const { beats, final } = play(teams);
  const isChanged = (place: number) =>
    (beats.get(place)?.length ?? 0) > 1 || final[place - 1]?.team !== teams[place - 1];
  let lowest = teams.length;
  while (lowest > CARDS && !isChanged(lowest)) lowest -= 1;
  return Math.min(FROM, lowest);
}

/** True if the steps lead to the ranks and points that the server computed. */
export function isProven(ceremony: Ceremony): boolean {
  const { final } = play(ceremony.teams);
  return final.every(
    ({ team, points }, index) => team.finalRank === index + 1 && team.finalPoints === points,
  );
}

export function scriptOf(ceremony: Ceremony, scope: Scope, wish: number): Script {
  const teams = teamsOf(ceremony, scope);
  const { start, beats, final } = play(teams);
  const from = Math.max(1, Math.min(wish, teams.length));
  const frozen = teams.map(
    (team): Row => ({
      team,
      points: team.frozenPoints,
      nsolves: team.nsolves,
      left: team.solves.length,
      isSettled: false,
    }),
  );
  const of = (place: number) => beats.get(place) ?? [];
  const places = final.map((_, index) => final.length - index);
  const steps: Step[] = [{ kind: "opening" }, { kind: "frozen" }];
  steps.push({ kind: "start", beats: places.filter((place) => place > from).flatMap(of) });
  for (const place of places.filter((place) => place <= from)) {
    steps.push({ kind: "place", place, beats: of(place) });
    const row = final[place - 1];
    if (place <= CARDS && row) steps.push({ kind: "card", place, row });
  }
  if (final.length > 1) steps.push({ kind: "podium" });
  const whole = scope === "all" ? final : play(ceremony.teams).final;
  steps.push({ kind: "board", scope: "all", rows: whole });
  if (divisionOf(ceremony, scope)) steps.push({ kind: "board", scope, rows: final });
  const students = whole.filter(({ team }) => team.student);
  if (students.length > 0) steps.push({ kind: "board", scope: "students", rows: students });
  steps.push({ kind: "publish" });
  return { scope, from, frozen, start, final, steps };
}

export function beatsOf(step: Step | undefined): readonly Beat[] {
  return step && "beats" in step ? step.beats : [];
}

/** Moment of a ceremony: a step, and its last beat so far; -1 before the first one. */
export interface Moment {
  readonly step: number;
  readonly beat: number;
}

/** The last moment of a step. */
export function endOf({ steps }: Script, step: number): Moment {
  return { step, beat: beatsOf(steps[step]).length - 1 };
}

/** The moment after a press of the key: the rest of the step's beats, or the next step. */
export function nextOf(script: Script, now: Moment): Moment {
  const end = endOf(script, now.step);
  if (now.beat < end.beat) return end;
  const step = Math.min(now.step + 1, script.steps.length - 1);
  if (step === now.step) return now;
  // A place without a hidden solve settles at once, as do the places below the first one.
  const kind = script.steps[step]?.kind;
  const isLong = kind === "place" && beatsOf(script.steps[step]).length > 1;
  return isLong ? { step, beat: -1 } : endOf(script, step);
}

/** The end of the previous step. */
export function previousOf(script: Script, now: Moment): Moment {
  return endOf(script, Math.max(0, now.step - 1));
}

function applied(rows: Row[], beat: Beat): void {
  const at = beat.kind === "solve" ? beat.from : beat.place;
  const row = rows[at - 1];
  if (!row) return;
  if (beat.kind === "settle") {
    rows[at - 1] = { ...row, isSettled: true };
    return;
  }
  const { points, nsolves, left } = row;
  rows.splice(at - 1, 1);
  const next = { points: points + beat.solve.points, nsolves: nsolves + 1, left: left - 1 };
  rows.splice(beat.to - 1, 0, { ...row, ...next });
}

/** Boards at the end of each step so far. Unchanged rows stay the same objects. */
const ends = new WeakMap<Script, (readonly Row[])[]>();

function rowsAfter(script: Script, step: number): readonly Row[] {
  const known = ends.get(script) ?? [];
  ends.set(script, known);
  for (let at = known.length; at <= step; at += 1) {
    const kind = script.steps[at]?.kind;
    if (kind === "opening" || kind === "frozen") known.push(script.frozen);
    else known.push(played(script, at, kind === "start" ? script.start : (known[at - 1] ?? [])));
  }
  return known[step] ?? [];
}

/** A board after the first beats of a step, or all of them. */
function played({ steps }: Script, step: number, from: readonly Row[], count?: number) {
  const rows = [...from];
  for (const one of beatsOf(steps[step]).slice(0, count)) applied(rows, one);
  return rows;
}

/** The board at a moment, in order of rank. */
export function rowsAt(script: Script, { step, beat }: Moment): readonly Row[] {
  if (beat >= beatsOf(script.steps[step]).length - 1) return rowsAfter(script, step);
  return played(script, step, rowsAfter(script, step - 1), beat + 1);
}
