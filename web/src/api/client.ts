/** HTTP client for the API: typed calls, JSON responses, and failures as `ApiError`. */
import createClient from "openapi-fetch";
import { apiBase } from "./base";
import type { paths } from "./schema";
import { readToken } from "./token";
import { isRecord } from "./unknown";

export const PARSE_FAILED = "error in parsing response";
export const CONNECTION_FAILED = "error, API connection failed";
/** Shown when a proxy rejects a request because of its size. */
export const PROXY_REFUSED_SIZE =
  "A proxy in front of the server rejected the request because it is too large.";
const PAYLOAD_TOO_LARGE = 413;

/** A failure: an English message, and the server's code, which selects the translation. */
export interface Failure {
  readonly message: string;
  /** Server error code; undefined if the failure comes from the client or a proxy. */
  readonly code?: string | undefined;
}

/** A failed call; `status` is 0 when there was no response. */
export class ApiError extends Error implements Failure {
  override readonly name = "ApiError";
  readonly code: string | undefined;

  constructor(
    failure: Failure,
    readonly status: number,
    readonly retryAfterS: number | null = null,
    /** Individual problems reported by the server, one sentence each. */
    readonly problems: readonly string[] = [],
  ) {
    super(failure.message);
    this.code = failure.code;
  }
}

/** Converts any thrown value into a failure that can be shown. */
export function failureOf(error: unknown): Failure {
  return asFailure(error) ?? { message: CONNECTION_FAILED };
}

/** Returns the failure in a response body, or null if it has no message. */
function asFailure(value: unknown): Failure | null {
  if (!isRecord(value) || typeof value.message !== "string") return null;
  return { message: value.message, code: typeof value.code === "string" ? value.code : undefined };
}

function problemsOf(body: unknown): readonly string[] {
  const problems = isRecord(body) && Array.isArray(body.problems) ? body.problems : [];
  return problems.flatMap((one: unknown) => asFailure(one)?.message ?? []);
}

function retryAfterS(response: Response): number | null {
  const seconds = Number.parseInt(response.headers.get("Retry-After") ?? "", 10);
  return Number.isFinite(seconds) ? seconds : null;
}

async function send<T>(request: Request, read: (response: Response) => Promise<T>) {
  try {
    const response = await fetch(request);
    return { response, body: await read(response) };
  } catch {
    throw new ApiError({ message: CONNECTION_FAILED }, 0);
  }
}

/** Fetches JSON. Rejects with the server's code and message on an error status. */
export async function fetchJson(request: Request): Promise<Response> {
  const { response, body } = await send(request, (response) => response.text());
  return requireJson(body, response);
}

/** Fetches a file. Rejects with the server's code and message on an error status. */
export async function fetchFile(request: Request): Promise<{ blob: Blob; headers: Headers }> {
  const { response, body: blob } = await send(request, (response) => response.blob());
  if (!response.ok) requireJson(await blob.text(), response);
  return { blob, headers: response.headers };
}

/** Returns a response with this text. Throws if the text is not JSON or the status is an error. */
export function requireJson(text: string, response: Response): Response {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    const isTooLarge = response.status === PAYLOAD_TOO_LARGE;
    throw new ApiError(
      { message: isTooLarge ? PROXY_REFUSED_SIZE : PARSE_FAILED },
      response.status,
    );
  }
  if (!response.ok) {
    const failure = asFailure(body) ?? { message: PARSE_FAILED };
    throw new ApiError(failure, response.status, retryAfterS(response), problemsOf(body));
  }
  return new Response(text, { status: response.status, headers: response.headers });
}

/** Paths without the default base, which each path of the OpenAPI description includes. */
type UnderBase<All> = {
  [Path in keyof All as Path extends `/api${infer Rest}` ? Rest : never]: All[Path];
};

/** The typed client, created per call so that tests can change the base URL. */
export function api() {
  return createClient<UnderBase<paths>>({ baseUrl: apiBase(), fetch: fetchJson });
}

/** Header with the team's token; empty when logged out. */
export function asTeam(token = readToken()) {
  return { header: { "X-Api-Key": token } };
}

/** Header with the page's language, used for emails that the call triggers. */
export function asReader() {
  return { header: { "Accept-Language": document.documentElement.lang } };
}

/** Body of a successful response; `fetchJson` throws on errors. */
export async function answer<T>(call: Promise<{ data?: T }>): Promise<T> {
  const { data } = await call;
  if (data === undefined) throw new ApiError({ message: PARSE_FAILED }, 0);
  return data;
}
