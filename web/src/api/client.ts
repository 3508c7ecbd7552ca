/** HTTP to the API: typed calls, every answer JSON, every failure an `ApiError` with a message. */
import createClient from "openapi-fetch";
import { apiBase } from "./base";
import type { paths } from "./schema";
import { readToken } from "./token";
import { isRecord } from "./unknown";

export const PARSE_FAILED = "error in parsing response";
export const CONNECTION_FAILED = "error, API connection failed";
/** Shown when a proxy, not the server, refuses the size of a request. */
export const PROXY_REFUSED_SIZE =
  "A proxy in front of the server refused the request: it is too large for its settings.";
const PAYLOAD_TOO_LARGE = 413;

/** What failed: an English sentence, and the server's code for it, by which it is translated. */
export interface Failure {
  readonly message: string;
  /** Missing when the failure is the client's own, or a proxy's. */
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
    /** What is wrong in particular, each in a sentence, where the server says so. */
    readonly problems: readonly string[] = [],
  ) {
    super(failure.message);
    this.code = failure.code;
  }
}

/** What to show for anything that was thrown. */
export function failureOf(error: unknown): Failure {
  return asFailure(error) ?? { message: CONNECTION_FAILED };
}

/** A value with a message, as far as it is a failure. */
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

/** Fetches and requires JSON; an error status rejects with the server's code and message. */
export async function fetchJson(request: Request): Promise<Response> {
  const { response, body } = await send(request, (response) => response.text());
  return requireJson(body, response);
}

/** Fetches a file; an error status rejects with the server's code and message. */
export async function fetchFile(request: Request): Promise<{ blob: Blob; headers: Headers }> {
  const { response, body: blob } = await send(request, (response) => response.blob());
  if (!response.ok) requireJson(await blob.text(), response);
  return { blob, headers: response.headers };
}

/** A response with this text, if it is JSON and no error. */
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

/**
 * The paths of the HTTP description begin with the default base; the site's base is configurable.
 */
type UnderBase<All> = {
  [Path in keyof All as Path extends `/api${infer Rest}` ? Rest : never]: All[Path];
};

/** The typed client; created per call, so that a test can change the base address. */
export function api() {
  return createClient<UnderBase<paths>>({ baseUrl: apiBase(), fetch: fetchJson });
}

/** The header with the team's token; empty when logged out. */
export function asTeam(token = readToken()) {
  return { header: { "X-Api-Key": token } };
}

/** The header with the page's language, in which the mails that the call causes are written. */
export function asReader() {
  return { header: { "Accept-Language": document.documentElement.lang } };
}

/** The body of a success; `fetchJson` has thrown on errors. */
export async function answer<T>(call: Promise<{ data?: T }>): Promise<T> {
  const { data } = await call;
  if (data === undefined) throw new ApiError({ message: PARSE_FAILED }, 0);
  return data;
}
