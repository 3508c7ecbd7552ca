/** API calls of the player site, one function each. These paths appear in no other file. */
import { answer, api, asReader, asTeam } from "./client";
import type { components } from "./schema";

type Schemas = components["schemas"];

/** Options of a call; the signal aborts its request. */
interface Options {
  readonly signal: AbortSignal;
}

/** The event, its times and its public settings; times in epoch milliseconds. */
export async function getCtf() {
  const info = await answer(api().GET("/ctf", { params: asTeam() }));
  return {
    ...info,
    name: info.name ?? null,
    startTime: info.startTime ?? null,
    endTime: info.endTime ?? null,
    freezeTime: info.freezeTime ?? null,
    loggedTeam: info.loggedTeam ?? null,
  };
}

export async function getChallenges({ signal }: Options) {
  const call = api().GET("/challenge", { params: asTeam(), signal });
  return (await answer(call)).challenges;
}

/** Parses the response by hand, because the client's types have arrays in place of tuples. */
export async function getSnapshot() {
  const call = api().GET("/scoreboard", { params: asTeam(), parseAs: "text" });
  const snapshot: Schemas["Snapshot"] = JSON.parse(await answer(call));
  return snapshot;
}

/** The team's own solves that the freeze hides from others, and its award, as live messages. */
export async function getOwnSolves() {
  const call = api().GET("/scoreboard/own", { params: asTeam() });
  const { teamName, own, award } = await answer(call);
  const solves = own.map((solve) => ({ ...solve, event: "solve" as const, teamName }));
  return [...solves, { event: "award" as const, teamName, award }];
}

/** Notices, newest first. */
export async function getNotices() {
  return (await answer(api().GET("/notices"))).notices;
}

/** The team's questions and the messages from the organizers, newest first. */
export async function getQuestions({ signal }: Options) {
  const call = api().GET("/questions", { params: asTeam(), signal });
  return (await answer(call)).questions;
}

/** Asks a question; `challengeId` is null if it is not about a challenge. */
export function postQuestion(body: { text: string; challengeId: string | null }) {
  return answer(api().POST("/question", { params: asTeam(), body }));
}

export function getRules() {
  return answer(api().GET("/rules"));
}

/** A custom page of the event. */
export function getOwnPage(slug: string) {
  return answer(api().GET("/pages/{slug}", { params: { path: { slug } } }));
}

export async function postLogin(body: Schemas["LoginRequest"]) {
  return (await answer(api().POST("/login", { params: asReader(), body }))).token;
}

export function postSignup(body: Schemas["SignupRequest"]) {
  return answer(api().POST("/signup", { params: asReader(), body }));
}

/** Sends the confirmation link of a signup to a different email address. */
export function postOtherAddress(body: Schemas["OtherAddressRequest"]) {
  return answer(api().POST("/signup/address", { params: asReader(), body }));
}

/** Replaces the divisions of the team. */
export function postDivisions(body: Schemas["DivisionsRequest"]) {
  return answer(api().POST("/account/divisions", { params: asTeam(), body }));
}

export function postSolve(body: { flag: string; challengeId: string }) {
  return answer(api().POST("/solve", { params: asTeam(), body }));
}

/** Takes a hint for at most `cost` points. */
export function postHint(body: { challengeId: string; hintId: string; cost: number }) {
  return answer(api().POST("/hint", { params: asTeam(), body }));
}

export function postLogout(token: string) {
  return answer(api().POST("/logout", { params: asTeam(token) }));
}

export function postConfirm(token: string) {
  return answer(api().POST("/confirm", { body: { token } }));
}

export function postReset(token: string, password: string) {
  return answer(api().POST("/reset", { body: { token, password } }));
}

/** Sets the team's password with a join card; returns the token of a new session. */
export async function postJoin(body: Schemas["JoinRequest"]) {
  return (await answer(api().POST("/join", { params: asReader(), body }))).token;
}

export function postStop(token: string) {
  return answer(api().POST("/stop", { body: { token } }));
}

/** The team's account, with its sessions. */
export function getAccount({ signal }: Options) {
  return answer(api().GET("/account", { params: asTeam(), signal }));
}

export function postPassword(body: { password: string; newPassword: string }) {
  return answer(api().POST("/account/password", { params: asTeam(), body }));
}

/** Requests a new email address, which takes effect when it is confirmed. */
export function postEmail(body: { password: string; email: string }) {
  const header = { ...asTeam().header, ...asReader().header };
  return answer(api().POST("/account/email", { params: { header }, body }));
}

export function postAddress(token: string) {
  return answer(api().POST("/address", { body: { token } }));
}

export function postCountry(country: string) {
  return answer(api().POST("/account/country", { params: asTeam(), body: { country } }));
}

export function postMembers(members: string[]) {
  return answer(api().POST("/account/members", { params: asTeam(), body: { members } }));
}

export function postEndOwnSession(id: string) {
  return answer(api().POST("/account/sessions/end", { params: asTeam(), body: { id } }));
}

export function postForgot(email: string) {
  return answer(api().POST("/forgot", { params: asReader(), body: { email } }));
}

export function postResend(email: string) {
  return answer(api().POST("/resend", { params: asReader(), body: { email } }));
}

export type Account = Awaited<ReturnType<typeof getAccount>>;
export type CtfInfo = Awaited<ReturnType<typeof getCtf>>;
export type Challenge = Awaited<ReturnType<typeof getChallenges>>[number];
