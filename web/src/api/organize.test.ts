/** Organizer calls send the cookie, never a team token, and a header with each POST. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ApiError } from "./client";
import { codeOf, getMe, getSessions, postAddOrganizer, postSignOut } from "./organize";
import { clearToken, writeToken } from "./token";

let asked: Request[] = [];

function answerWith(body: unknown, init?: ResponseInit) {
  vi.stubGlobal("fetch", async (request: Request) => {
    asked.push(request);
    return new Response(JSON.stringify(body), init);
  });
}

beforeEach(() => {
  asked = [];
  writeToken("fsp_team");
});
afterEach(clearToken);

test("a GET sends the cookie of this origin and no team token", async () => {
  answerWith({ sessions: [] });
  expect(await getSessions()).toEqual([]);
  const [request] = asked;
  expect(request?.method).toBe("GET");
  expect(new URL(request?.url ?? "").pathname).toBe("/api/organize/sessions");
  expect(request?.credentials).toBe("same-origin");
  expect(request?.headers.get("X-Api-Key")).toBeNull();
  expect(request?.headers.get("X-Organize")).toBeNull();
});

test("drafts stay for their organizer, and are removed when another one logs in", async () => {
  const draft = 'organize edit ["web"]';
  sessionStorage.setItem("other", "1");
  sessionStorage.setItem(draft, "{}");
  answerWith({ name: "Ada" });
  await getMe();
  expect(sessionStorage.getItem(draft)).toBeNull(); // its owner is unknown
  sessionStorage.setItem(draft, "{}");
  await getMe();
  expect(sessionStorage.getItem(draft)).toBe("{}");
  answerWith({ name: "Grace" });
  await getMe();
  expect({ ...sessionStorage }).toEqual({ other: "1", "organize name": '"Grace"' });
});

test("a POST declares JSON from the event's own site", async () => {
  answerWith({ link: "https://ctf.example/organize/invite#t", expiresAt: 1 });
  const input = { name: "Ada", roles: ["author"], challenges: ["web-1"] };
  await postAddOrganizer(input);
  await postSignOut();
  for (const request of asked) {
    expect(request.method).toBe("POST");
    expect(request.credentials).toBe("same-origin");
    expect(request.headers.get("X-Organize")).toBe("1");
    expect(request.headers.get("Content-Type")).toBe("application/json");
    expect(request.headers.get("X-Api-Key")).toBeNull();
  }
  expect(await asked[0]?.json()).toEqual(input);
  expect(await asked[1]?.json()).toEqual({});
});

test("a server error has its code; other errors have none", async () => {
  answerWith({ code: "factor_needed", message: "Give the code." }, { status: 403 });
  const error: unknown = await getMe().catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ApiError);
  expect(codeOf(error)).toBe("factor_needed");
  expect(codeOf(new TypeError("x"))).toBeUndefined();
});
