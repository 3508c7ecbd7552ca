/**
 * What organizers read and do: lists, acts, flags that are tried. Times are epoch milliseconds, and
 * what a role may not see is null.
 */
import { get, post, postRequest } from "./organize";
import type { components } from "./schema";
import { isRecord } from "./unknown";

type Schemas = components["schemas"];

/** The description has another schema of this name: this is the health of a node. */
export interface NodeHealth {
  readonly ready: boolean | null;
  readonly flagsPerSecond: Schemas["FlagsPerSecond"] | null;
  readonly lane: Schemas["LaneHealth"] | null;
  readonly process: Schemas["ProcessHealth"] | null;
  readonly memoryAvailableBytes: number | null;
  readonly diskFreeBytes: number | null;
  readonly sockets: number;
  readonly mail: Schemas["MailHealth"] | null;
  readonly nodes: number;
  readonly lastBackupAt: number | null;
  readonly isIntact: boolean;
}

export type Overview = Omit<Schemas["Overview"], "health"> & { readonly health: NodeHealth | null };
export type Team = Schemas["Team"];
export type Teams = Schemas["Teams"];
export type ListedChallenge = Schemas["ListedChallenge"];
export type SentFlags = Schemas["SentFlags"];
export type SentFlag = Schemas["SentFlag"];
export type Entry = Schemas["Entry"];
export type TeamMove = Schemas["TeamMove"];
export type Effect = Schemas["Effect"];
export type Tried = Schemas["Tried"];
export type Notice = Schemas["Listed"];
export type Question = Schemas["Own"] & { readonly teamName: string };

/** What an act did, or would do. */
export interface Acted {
  readonly id: number | null;
  readonly act: string;
  readonly sentence: string;
  readonly undo: { readonly possible: boolean; readonly why?: string | null } | null;
  readonly effect: Effect;
  readonly head: number | null;
  /** Of `team.code`: to be told to the team. */
  readonly code: string | null;
}

/** The arguments of an act; those that are undefined are not sent. */
type Given = Omit<Schemas["ActRequest"], "act" | "head" | "preview" | "reason">;
export type Arguments = { readonly [Name in keyof Given]: Given[Name] | undefined };

/** The terms of an act: a preview changes nothing. */
export interface Terms {
  readonly reason?: string;
  readonly preview?: true;
  readonly head?: number | null | undefined;
}

/** A query whose unset members are left out. */
export type Query = Readonly<Record<string, string | undefined>>;

export function withQuery(path: string, query: Query): string {
  const set = Object.entries(query).flatMap(([name, value]) => (value ? [[name, value]] : []));
  return set.length === 0 ? path : `${path}?${new URLSearchParams(set)}`;
}

export const getOverview = (view: Query) => get<Overview>(withQuery("/overview", view));

export const getTeams = (query: Query) => get<Teams>(withQuery("/teams", query));

export async function getChallenges(view: Query) {
  const path = withQuery("/challenges", view);
  return (await get<{ challenges: readonly ListedChallenge[] }>(path)).challenges;
}

export const getFlags = (query: Query) => get<SentFlags>(withQuery("/flags", query));

export async function getQuestions() {
  return (await get<{ questions: readonly Question[] }>("/questions")).questions;
}

export async function getNotices() {
  return (await get<{ notices: readonly Notice[] }>("/notices")).notices;
}

/** The newest 50, or those before an act. */
export async function getActs(before?: string) {
  const path = withQuery("/acts", { before });
  return (await get<{ acts: readonly Entry[] }>(path)).acts;
}

export function postAct(act: string, args: Arguments, terms: Terms) {
  return post<Acted>("/acts", { act, ...args, ...terms });
}

export function postUndo(id: number, { reason = "", ...terms }: Terms) {
  return post<Acted>(`/acts/${id}/undo`, { reason, ...terms });
}

export function postTrial(challenge: string, flag: string) {
  return post<Tried>("/flags/try", { challenge, flag });
}

/**
 * The ids of the acts that have to be undone before this one, in this order. They are in the body
 * of a refusal, for which the errors of calls have no place: a preview asks for it.
 */
export async function getLaterActs(id: number): Promise<readonly number[]> {
  const request = postRequest(`/acts/${id}/undo`, { reason: "", preview: true });
  const refusal: unknown = await (await fetch(request)).json();
  const acts = isRecord(refusal) ? refusal.acts : null;
  return Array.isArray(acts) ? acts.filter((one) => typeof one === "number") : [];
}
