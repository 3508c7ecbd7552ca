/** Every call of the site, one function each. The only file that names paths. */
import { answer, api } from "./client";
import type { components } from "./schema";

type Schemas = components["schemas"];
export type CtfInfo = Schemas["CtfInfo"];
export type Challenge = Schemas["Challenge"];
export type Snapshot = Schemas["Snapshot"];
export type CaptchaInfo = Schemas["CaptchaInfo"];

export function getCtf(): Promise<CtfInfo> {
  return answer(api().GET("/ctf"));
}

export async function getChallenges(): Promise<Challenge[]> {
  return (await answer(api().GET("/challenge"))).challenges;
}

export function getSnapshot(): Promise<Snapshot> {
  return answer(api().GET("/scoreboard"));
}

export async function getRules(): Promise<string> {
  return (await answer(api().GET("/rules"))).html;
}

export async function postLogin(body: Schemas["LoginRequest"]): Promise<string> {
  return (await answer(api().POST("/login", { body }))).token;
}

export function postSignup(body: Schemas["SignupRequest"]) {
  return answer(api().POST("/signup", { body }));
}

export function postSolve(body: Schemas["SolveRequest"]) {
  return answer(api().POST("/solve", { body }));
}

export function postLogout(token: string) {
  return answer(api().POST("/logout", { headers: { "X-Api-Key": token } }));
}

export function postConfirm(token: string) {
  return answer(api().POST("/confirm", { body: { token } }));
}

export function postReset(token: string, password: string) {
  return answer(api().POST("/reset", { body: { token, password } }));
}

export function postForgot(email: string) {
  return answer(api().POST("/forgot", { body: { email } }));
}

export function postResend(email: string) {
  return answer(api().POST("/resend", { body: { email } }));
}
