/** Organizer API calls, authenticated by the session cookie. Times are epoch milliseconds. */
import { apiUrl } from "./base";
import { ApiError, asReader, fetchFile, fetchJson } from "./client";
import { clearDrafts } from "./draft-keys";
import { setDraftOwner } from "./drafts";
import { clearKept } from "./organize-drafts";
import type { components } from "./schema";

/** Query cache keys. */
export const ME_KEY = ["organize", "me"] as const;
export const SESSIONS_KEY = ["organize", "sessions"] as const;
export const ORGANIZERS_KEY = ["organize", "organizers"] as const;

export type Invitation = components["schemas"]["Invitation"];
export type Codes = components["schemas"]["Codes"];
export type CodesLeft = components["schemas"]["CodesLeft"];
export type Me = components["schemas"]["Me"];
export type Session = components["schemas"]["Session"];
export type NewSecret = components["schemas"]["NewSecret"];
/** An organizer, as listed for owners. */
export type Person = components["schemas"]["Person"];
/** New roles of an organizer. */
export type RolesRequest = Required<components["schemas"]["RolesRequest"]>;
export type InvitationLink = components["schemas"]["InvitationLink"];

/** Proof of the second factor: an authenticator code or a recovery code. */
export type FactorRequest = { readonly code: string } | { readonly recoveryCode: string };

type Headers = Readonly<Record<string, string>>;

/** Builds a request that asks for messages in the page's language. */
function requestOf(path: string, init: RequestInit = {}, more: Headers = {}): Request {
  const headers = { ...asReader().header, ...more };
  return new Request(apiUrl(`/organize${path}`), { credentials: "same-origin", ...init, headers });
}

/** Sends a GET request, which the signal can abort. */
export async function get<T>(path: string, signal?: AbortSignal): Promise<T> {
  return (await fetchJson(requestOf(path, { signal: signal ?? null }))).json();
}

/** Builds a POST request with the header that proves it came from the site itself. */
export function postRequest(path: string, body: object, more: Headers = {}): Request {
  const headers = { "Content-Type": "application/json", "X-Organize": "1", ...more };
  return requestOf(path, { method: "POST", body: JSON.stringify(body) }, headers);
}

export async function post<T>(path: string, body: object = {}, more: Headers = {}): Promise<T> {
  return (await fetchJson(postRequest(path, body, more))).json();
}

/** Sends the bytes of a file. */
export async function postBytes<T>(path: string, bytes: ArrayBuffer): Promise<T> {
  const headers = { "Content-Type": "application/octet-stream", "X-Organize": "1" };
  return (await fetchJson(requestOf(path, { method: "POST", body: bytes }, headers))).json();
}

/** Reads an invitation without using it. */
export function postInvitation(token: string) {
  return post<Invitation>("/invitation", { token });
}

/** Accepts an invitation and starts a session. */
export function postEnrol(body: components["schemas"]["EnrolRequest"]) {
  return post<Codes>("/enrol", body);
}

/** Starts a session, which then needs the second factor. */
export function postSession(body: { name: string; password: string; captchaToken: string }) {
  return post<object>("/session", body);
}

export function postFactor(body: FactorRequest) {
  return post<CodesLeft>("/factor", body);
}

export async function getMe() {
  const me = await get<Me>("/me");
  setDraftOwner(me.name);
  clearKept(me.name);
  return me;
}

/** Ends the session and removes the drafts. */
export async function postSignOut() {
  const signedOut = await post<object>("/sign-out");
  clearDrafts("organize");
  clearKept();
  return signedOut;
}

export async function getSessions() {
  return (await get<{ sessions: readonly Session[] }>("/sessions")).sessions;
}

export function postEndSession(id: string) {
  return post<object>("/sessions/end", { id });
}

export function postNewFactor() {
  return post<NewSecret>("/factor/new");
}

export function postReplaceFactor(body: { enrolment: string; code: string }) {
  return post<Codes>("/factor/replace", body);
}

export async function getOrganizers() {
  return (await get<{ organizers: readonly Person[] }>("/organizers")).organizers;
}

export function postAddOrganizer(body: RolesRequest) {
  return post<InvitationLink>("/organizers/add", body);
}

export function postRoles(body: RolesRequest) {
  return post<object>("/organizers/role", body);
}

export function postResetOrganizer(name: string) {
  return post<InvitationLink>("/organizers/reset", { name });
}

export function postRemoveOrganizer(name: string) {
  return post<object>("/organizers/remove", { name });
}

/** Query cache key of all organizers' API tokens. */
export const TOKENS_KEY = ["organize", "tokens"] as const;
export type ListedToken = components["schemas"]["ListedToken"];
export type PrivateData = components["schemas"]["PrivateData"];

/** Creates an API token, for the caller if `name` is null. */
export async function postToken(name: string | null, days: number) {
  const body = name === null ? { days } : { name, days };
  const path = name === null ? "/tokens" : "/organizers/token";
  return (await post<components["schemas"]["NewToken"]>(path, body)).token;
}

export async function getTokens() {
  return (await get<{ tokens: readonly ListedToken[] }>("/organizers/tokens")).tokens;
}

export function postEndToken(name: string, id: string) {
  return post<object>("/organizers/token/end", { name, id });
}

/** Personal data stored about a team, or about all teams if null. */
export function getPrivate(team: string | null) {
  const only = team === null ? "" : `?team=${encodeURIComponent(team)}`;
  return get<PrivateData>(`/privacy${only}`);
}

/** Erases the personal data of a team, or of all teams if null. */
export function postErase(team: string | null, confirm: string, beforeEnd: boolean) {
  const whose = team === null ? {} : { team };
  return post<{ rows: number }>("/privacy/erase", { ...whose, confirm, beforeEnd });
}

/** A check of the event, with its result. */
export type Check = components["schemas"]["EventCheck"];

/** Runs the checks of the event. */
export async function getChecks() {
  return (await get<components["schemas"]["EventChecks"]>("/checks")).checks;
}

/** Creates a backup; returns the file, its name, and the number of omitted damaged attachments. */
export async function postBackup() {
  const { blob, headers } = await fetchFile(postRequest("/backup", {}));
  const named = /filename="([^"]+)"/.exec(headers.get("Content-Disposition") ?? "");
  const leftOut = Number(headers.get("X-Left-Out") ?? 0);
  return { blob, name: named?.[1] ?? "event.backup", leftOut };
}

/** Makes join cards for these teams, or for all confirmed ones; returns the sheet to print. */
export async function postCards(teams: readonly string[] | undefined, reason: string) {
  return (await fetchFile(postRequest("/cards", { teams, reason }))).blob;
}

/** Server error code of a failed call. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof ApiError ? error.code : undefined;
}
