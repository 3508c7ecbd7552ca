/** HTTP to the API: typed calls, every answer JSON, every failure an `ApiError` with a sentence. */
import createClient from "openapi-fetch";
import { apiBase } from "./base";
import type { paths } from "./schema";
import { readToken } from "./token";

export const PARSE_FAILED = "error in parsing response";
export const CONNECTION_FAILED = "error, API connection failed";

/** A call that failed; `status` 0 when there was no answer at all. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly status: number;
  readonly retryAfterS: number | null;

  constructor(message: string, status: number, retryAfterS: number | null = null) {
    super(message);
    this.status = status;
    this.retryAfterS = retryAfterS;
  }
}

/** The sentence to show for anything that was thrown. */
export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : CONNECTION_FAILED;
}

function retryAfterS(response: Response): number | null {
  const seconds = Number.parseInt(response.headers.get("Retry-After") ?? "", 10);
  return Number.isFinite(seconds) ? seconds : null;
}

function messageOf(body: unknown): string {
  const isMessage = typeof body === "object" && body !== null && "message" in body;
  return isMessage && typeof body.message === "string" ? body.message : PARSE_FAILED;
}

/** Fetches and insists on JSON; a refusal rejects with the server's message. */
async function fetchJson(request: Request): Promise<Response> {
  let response: Response;
  let text: string;
  try {
    response = await fetch(request);
    text = await response.text();
  } catch {
    throw new ApiError(CONNECTION_FAILED, 0);
  }
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    throw new ApiError(PARSE_FAILED, response.status);
  }
  if (!response.ok) throw new ApiError(messageOf(body), response.status, retryAfterS(response));
  return new Response(text, { status: response.status, headers: response.headers });
}

/** The description's paths begin with the default base; ours is configurable. */
type UnderBase<All> = {
  [Path in keyof All as Path extends `/api${infer Rest}` ? Rest : never]: All[Path];
};

/** The typed client; made late so that a test's address counts. */
export function api() {
  return createClient<UnderBase<paths>>({ baseUrl: apiBase(), fetch: fetchJson });
}

/** The header that says which team asks; empty for nobody. */
export function asTeam(token = readToken()) {
  return { header: { "X-Api-Key": token } };
}

/** The body of an answer; refusals have been thrown by `fetchJson`. */
export async function answer<T>(call: Promise<{ data?: T }>): Promise<T> {
  const { data } = await call;
  if (data === undefined) throw new ApiError(PARSE_FAILED, 0);
  return data;
}
