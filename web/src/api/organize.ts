/**
 * Every call of the organizers' pages. They use the session's cookie, which scripts cannot read,
 * and never a team's token. Times are epoch milliseconds.
 */
import { apiUrl } from "./base";
import { ApiError, fetchJson } from "./client";

/** The keys of the query cache. */
export const ME_KEY = ["organize", "me"] as const;
export const SESSIONS_KEY = ["organize", "sessions"] as const;
export const ORGANIZERS_KEY = ["organize", "organizers"] as const;

/** Whom an invitation is for, and the secret of their second factor. */
export interface Invitation {
  readonly name: string;
  readonly roles: readonly string[];
  readonly secret: string;
  /** The secret as an `otpauth:` address. */
  readonly uri: string;
}

/** Recovery codes, shown once. */
export interface Codes {
  readonly recoveryCodes: readonly string[];
}

/** How many recovery codes were not used. */
export interface CodesLeft {
  readonly codesLeft: number;
}

/** A proof of the second factor: a code of the app, or a recovery code. */
export type FactorRequest = { readonly code: string } | { readonly recoveryCode: string };

/** Who is signed in, and what they may do. */
export interface Me {
  readonly name: string;
  readonly roles: readonly string[];
  readonly challenges: readonly string[];
  readonly acts: readonly string[];
  readonly codesLeft: number;
  /** Until when the second factor is not asked for again. */
  readonly factorUntil: number | null;
}

/** A session or a token of the organizer who is signed in. */
export interface Session {
  readonly id: string;
  /** `session` or `token`. */
  readonly kind: string;
  readonly createdAt: number;
  readonly expiresAt: number;
  /** True for the session of this browser. */
  readonly isCurrent: boolean;
}

/** The secret of another app; `enrolment` is sent back with the app's first code. */
export interface NewSecret {
  readonly secret: string;
  readonly uri: string;
  readonly enrolment: string;
}

/** An organizer in the list for owners. */
export interface Person {
  readonly name: string;
  readonly roles: readonly string[];
  readonly challenges: readonly string[];
  /** False until the invitation is used. */
  readonly isEnrolled: boolean;
  readonly createdAt: number;
}

/** What an organizer's roles become. */
export type RolesRequest = Pick<Person, "name" | "roles" | "challenges">;

/** A link that lets an organizer in once. */
export interface InvitationLink {
  readonly link: string;
  readonly expiresAt: number;
}

async function call<T>(path: string, init: RequestInit): Promise<T> {
  const url = apiUrl(`/organize${path}`);
  const response = await fetchJson(new Request(url, { credentials: "same-origin", ...init }));
  return response.json();
}

function get<T>(path: string): Promise<T> {
  return call(path, {});
}

/** The header tells the server that the event's own site has sent the request. */
function post<T>(path: string, body: object = {}): Promise<T> {
  const headers = { "Content-Type": "application/json", "X-Organize": "1" };
  return call(path, { method: "POST", headers, body: JSON.stringify(body) });
}

/** Shows an invitation, which stays valid. */
export function postInvitation(token: string) {
  return post<Invitation>("/invitation", { token });
}

/** Uses an invitation, and begins a session. */
export function postEnrol(body: { token: string; password: string; code: string }) {
  return post<Codes>("/enrol", body);
}

/** Begins a session, which needs the second factor next. */
export function postSession(body: { name: string; password: string; captchaToken: string }) {
  return post<object>("/session", body);
}

export function postFactor(body: FactorRequest) {
  return post<CodesLeft>("/factor", body);
}

export function getMe() {
  return get<Me>("/me");
}

export function postSignOut() {
  return post<object>("/sign-out");
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

/** The server's code of a failed call. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof ApiError ? error.code : undefined;
}
