/** Organizer lists and actions. Times are epoch milliseconds; hidden values are null. */
import type { ActionName, Fields } from "./actions";
import { get, post, postRequest } from "./organize";
import type { components } from "./schema";

type Schemas = components["schemas"];

export type Overview = Schemas["Overview"];
export type Team = Schemas["Team"];
export type Teams = Schemas["Teams"];
export type ListedDivision = Schemas["ListedDivision"];
export type ListedChallenge = Schemas["ListedChallenge"];
export type SentFlags = Schemas["SentFlags"];
export type SentFlag = Schemas["SentFlag"];
export type Entry = Schemas["Entry"];
export type TeamMove = Schemas["TeamMove"];
export type Tried = Schemas["Tried"];
export type Notice = Schemas["Listed"];
export type Question = Schemas["TeamQuestion"];
export type Story = Schemas["Story"];
export type StoryLine = Schemas["StoryLine"];
export type Evidence = Schemas["EvidenceList"];
export type Pair = Schemas["EvidencePair"];
export type Fact = Schemas["EvidenceFact"];
export type Acted = Schemas["Acted"];
/** Changes of the event's phases that an action makes at once. */
export type Phases = Schemas["Phases"];

type Each<Name = ActionName> = Name extends ActionName ? Fields<Name> : never;
type NameOf<One> = One extends unknown ? keyof One : never;
type ValueOf<One, Name> = Name extends keyof One ? One[Name] : never;
type ValueIn<One, Name> = One extends unknown ? ValueOf<One, Name> : never;

/** The arguments of any action; those that are undefined are not sent. */
export type Arguments = { readonly [Name in NameOf<Each>]?: ValueIn<Each, Name> | undefined };

/** Options of an action; a preview changes nothing. */
export interface Terms {
  readonly reason?: string;
  readonly preview?: true;
  readonly head?: number | null | undefined;
}

/** A query; undefined members are omitted. */
export type Query = Readonly<Record<string, string | undefined>>;

export function withQuery(path: string, query: Query): string {
  const set = Object.entries(query).flatMap(([name, value]) => (value ? [[name, value]] : []));
  return set.length === 0 ? path : `${path}?${new URLSearchParams(set)}`;
}

export const getOverview = (view: Query) => get<Overview>(withQuery("/overview", view));

export function getTeams(query: Query, signal?: AbortSignal) {
  return get<Teams>(withQuery("/teams", query), signal);
}

/** All divisions that the organizer can see, in the order of `event.toml`. */
export async function getDivisions(view: Query) {
  return (await get<Schemas["Divisions"]>(withQuery("/divisions", view))).divisions;
}

export async function getChallenges(view: Query) {
  const path = withQuery("/challenges", view);
  return (await get<Schemas["ListedChallenges"]>(path)).challenges;
}

export function getFlags(query: Query, signal?: AbortSignal) {
  return get<SentFlags>(withQuery("/flags", query), signal);
}

export const getEvidence = (view: Query) => get<Evidence>(withQuery("/evidence", view));

/** A team, by its current or a former name, and its activity. */
export function getStory(team: string, query: Query, signal?: AbortSignal) {
  return get<Story>(withQuery(`/teams/${encodeURIComponent(team)}`, query), signal);
}

export async function getQuestions() {
  return (await get<Schemas["TeamQuestions"]>("/questions")).questions;
}

export async function getNotices() {
  return (await get<Schemas["ListedNotices"]>("/notices")).notices;
}

/** The newest 50 actions, or the 50 before a given action. */
export async function getActions(before?: string, signal?: AbortSignal) {
  const path = withQuery("/actions", { before });
  return (await get<Schemas["Actions"]>(path, signal)).actions;
}

/** Performs an action, once for all requests with the same idempotency key. */
export function postAction<Name extends ActionName>(
  action: Name,
  args: Fields<Name>,
  terms: Terms,
  key?: string,
) {
  return post<Acted>("/actions", { action, ...args, ...terms }, keyHeader(key));
}

export function postUndo(id: number, { reason = "", ...terms }: Terms, key?: string) {
  return post<Acted>(`/actions/${id}/undo`, { reason, ...terms }, keyHeader(key));
}

function keyHeader(key: string | undefined) {
  return key === undefined ? {} : { "Idempotency-Key": key };
}

export function postTrial(challenge: string, flag: string) {
  return post<Tried>("/flags/try", { challenge, flag });
}

/**
 * IDs of the actions that must be undone before this one, in order. The server sends them in the
 * body of an error response, which `ApiError` does not keep, so a preview request fetches them.
 */
export async function getLaterActions(id: number): Promise<readonly number[]> {
  const request = postRequest(`/actions/${id}/undo`, { reason: "", preview: true });
  const refusal: { actions?: readonly number[] } = await (await fetch(request)).json();
  return refusal.actions ?? [];
}
