/** Client errors and the token header. */
import { afterEach, expect, test, vi } from "vitest";
import {
  getCtf,
  postEmail,
  postForgot,
  postLogin,
  postOtherAddress,
  postResend,
  postSignup,
  postSolve,
} from "./calls";
import {
  ApiError,
  CONNECTION_FAILED,
  type Failure,
  failureOf,
  PARSE_FAILED,
  PROXY_REFUSED_SIZE,
} from "./client";
import { clearToken, readToken, writeToken } from "./token";

let request: Request | undefined;

function answerWith(body: string, init?: ResponseInit) {
  vi.stubGlobal("fetch", async (asked: Request) => {
    request = asked;
    return new Response(body, init);
  });
}

async function failure(call: Promise<unknown>): Promise<ApiError> {
  const error: unknown = await call.then(
    () => null,
    (thrown) => thrown,
  );
  if (error instanceof ApiError) return error;
  throw new Error("the call did not fail as it should");
}

afterEach(clearToken);

test("a body that is not JSON", async () => {
  answerWith("<html>");
  expect((await failure(getCtf())).message).toBe(PARSE_FAILED);
  answerWith("<html>", { status: 502 });
  expect((await failure(getCtf())).message).toBe("error in parsing response");
  answerWith("", { status: 200 });
  expect((await failure(getCtf())).message).toBe(PARSE_FAILED);
});

test("a proxy's request size limit is reported", async () => {
  answerWith("<html>413 Request Entity Too Large</html>", { status: 413 });
  expect(await failure(getCtf())).toMatchObject({ message: PROXY_REFUSED_SIZE, status: 413 });
  answerWith(JSON.stringify({ code: "file_too_large", message: "Files can be at most 1 GiB." }), {
    status: 413,
  });
  expect((await failure(getCtf())).code).toBe("file_too_large");
});

test("no connection", async () => {
  vi.stubGlobal("fetch", () => Promise.reject(new TypeError("failed to fetch")));
  const error = await failure(getCtf());
  expect(error.message).toBe(CONNECTION_FAILED);
  expect(error.message).toBe("error, API connection failed");
  expect(error.status).toBe(0);
});

test("an error has the server's code, message, status and Retry-After", async () => {
  const refusal = { code: "flag_too_fast", message: "Too fast, wait a little." };
  const body = JSON.stringify(refusal);
  answerWith(body, { status: 429, headers: { "Retry-After": "7" } });
  const error = await failure(postSolve({ flag: "x", challengeId: "1" }));
  expect(error).toMatchObject({ ...refusal, status: 429, retryAfterS: 7 });
  expect(failureOf(error)).toEqual(refusal);
});

test("a proxy's error: its message without a code, or an unexpected response", async () => {
  const TABLE: [body: unknown, failure: Failure][] = [
    [{ message: "Bad gateway." }, { message: "Bad gateway." }],
    [{ code: 502, message: "Bad gateway." }, { message: "Bad gateway." }],
    [{ error: "bad gateway" }, { message: PARSE_FAILED }],
    [{ code: "overloaded" }, { message: PARSE_FAILED }],
    [["bad gateway"], { message: PARSE_FAILED }],
    [null, { message: PARSE_FAILED }],
  ];
  for (const [body, expected] of TABLE) {
    answerWith(JSON.stringify(body), { status: 502 });
    const error = await failure(getCtf());
    expect(failureOf(error)).toEqual(expected);
    expect(error.status).toBe(502);
  }
});

test("a thrown value without a message is a failed connection", () => {
  for (const thrown of ["text", null, undefined, {}]) {
    expect(failureOf(thrown)).toEqual({ message: CONNECTION_FAILED });
  }
});

test("the token is sent in X-Api-Key, a foreign one is not", async () => {
  answerWith("{}");
  await getCtf();
  expect(request?.headers.get("X-Api-Key")).toBe("");
  writeToken("fsp_mine");
  await getCtf();
  expect(request?.headers.get("X-Api-Key")).toBe("fsp_mine");
  writeToken("eyJhbGciOi");
  expect(readToken()).toBe("");
  await getCtf();
  expect(request?.headers.get("X-Api-Key")).toBe("");
});

test("calls that trigger emails send the page's language", async () => {
  answerWith("{}");
  writeToken("fsp_mine");
  const { lang } = document.documentElement;
  document.documentElement.lang = "pl";
  const waits = { teamName: "Ada", password: "x", email: "ada@example.org", captchaToken: "" };
  const calls = [
    () => postSignup({ ...waits, country: "IT", studentTeam: false }),
    () => postOtherAddress(waits),
    () => postLogin({ team: "Ada", password: "x", captchaToken: "" }),
    () => postResend("ada@example.org"),
    () => postForgot("ada@example.org"),
    () => postEmail({ password: "x", email: "ada@example.org" }),
  ];
  for (const call of calls) {
    await call();
    expect(request?.headers.get("Accept-Language"), request?.url).toBe("pl");
  }
  expect(request?.headers.get("X-Api-Key")).toBe("fsp_mine");
  document.documentElement.lang = lang;
});
