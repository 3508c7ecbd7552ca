/**
 * Shared by the tests of the whole site: a fake server (HTTP and sockets), reset before each test,
 * and helpers that open a page against it.
 */
import { cleanup, render } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, vi } from "vitest";
import { createQueryClient } from "./api/queries";
import { clearToken } from "./api/token";
import { PATHS, preloadPage } from "./pages";
import { Site } from "./site";

// The pages are loaded before a test's timeout starts: unbundled, they are hundreds of modules.
await Promise.all(PATHS.map(preloadPage));

export const HOUR_MS = 3_600_000;
/** The token that the fake server accepts: the team "Ours". */
export const TOKEN = "fsp_ours";
/** Timeout for elements that depend on a request. */
export const PATIENT = { timeout: 10_000 };

interface Call {
  path: string;
  search: string;
  headers: Headers;
  body: unknown;
  signal: AbortSignal;
}
export type Reply = [status: number, body: unknown, headers?: Record<string, string>];

/** A socket that opens immediately; tests push messages with `say`. */
class SilentSocket extends EventTarget {
  static readonly OPEN = 1;
  readyState = 1;
  constructor() {
    super();
    server.sockets.push(this);
  }
  send() {}
  close() {}
  say(message: unknown) {
    this.dispatchEvent(new MessageEvent("message", { data: JSON.stringify(message) }));
  }
}

interface Server {
  calls: Call[];
  /** Responses by path; any other path is a 404, except `/ctf`. */
  replies: Record<string, Reply | (() => Reply | Promise<Reply>)>;
  times: { startTime: number | null; endTime: number | null; freezeTime: number | null };
  info: Record<string, unknown>;
  sockets: SilentSocket[];
}

function freshServer(): Server {
  return {
    calls: [],
    replies: {},
    times: { startTime: Date.now() - HOUR_MS, endTime: Date.now() + HOUR_MS, freezeTime: null },
    info: {
      name: "Harbour CTF",
      seq: 1,
      status: "running",
      timezone: "Europe/Rome",
      flagFormat: "flag{...}",
      studentLabel: "My team is fully composed of polito students. (optional)",
      registrationOpen: true,
      registration: {
        ...{ open: true, opens: null, closes: null, codes: "none", fields: [] },
        ...{ waitingList: false, full: false },
      },
      confirmEmail: true,
      revealAtEnd: true,
      revealed: false,
      notices: 0,
      paused: false,
      passwordMin: 6,
      captcha: { provider: "off", siteKey: null },
      site: { chat: "https://chat.example/", links: [], sponsors: [], pages: [] },
    },
    sockets: [],
  };
}

/** The fake server; each test sets the responses that it needs. */
export const server: Server = freshServer();

export const challenge = (id: string, more: Record<string, unknown> = {}) => ({
  id,
  challengeName: `Challenge ${id}`,
  challengeType: "static",
  maxValue: 100,
  minValue: 0,
  speedrunValues: [],
  categories: ["web"],
  description: `<p>About ${id}</p>`,
  status: "works",
  statusNote: "",
  hints: [],
  connection: null,
  flagFormat: null,
  attachments: [],
  locked: false,
  requirements: [],
  nsolves: 0,
  fbTs: 0,
  ...more,
});

export function ctf(token: string | null): Reply {
  const loggedTeam = token === TOKEN ? "Ours" : null;
  return [200, { ...server.info, ...server.times, loggedTeam, serverTime: Date.now() }];
}

/** Start of React's warnings about invalid nesting of elements. */
const NESTING = /cannot (be a (descendant|child)|contain a nested)/;
/** The nesting warnings of the current test. */
const nested: string[] = [];

beforeEach(() => {
  Object.assign(server, freshServer());
  const log = console.error;
  vi.spyOn(console, "error").mockImplementation((...said: unknown[]) => {
    if (NESTING.test(String(said[0]))) nested.push(said.map(String).join(" "));
    log(...said);
  });
  vi.stubGlobal("WebSocket", SilentSocket);
  vi.stubGlobal("fetch", async (request: Request) => {
    const { pathname, search } = new URL(request.url);
    const path = pathname.replace(/^\/api/, "");
    const text = await request.text();
    const isBytes = request.headers.get("Content-Type") === "application/octet-stream";
    const sent = text === "" ? null : isBytes ? text : JSON.parse(text);
    const { headers: sentHeaders, signal } = request;
    server.calls.push({ path, search, headers: sentHeaders, body: sent, signal });
    const reply = server.replies[path];
    const fallback: Reply = [404, { code: "not_found", message: "Nothing here." }];
    const known = typeof reply === "function" ? await reply() : (reply ?? fallback);
    const [status, body, headers = {}] =
      path === "/ctf" && !reply ? ctf(request.headers.get("X-Api-Key")) : known;
    return new Response(typeof body === "string" ? body : JSON.stringify(body), {
      status,
      headers,
    });
  });
});

afterEach(() => {
  cleanup();
  clearToken();
  localStorage.clear();
  sessionStorage.clear();
  expect(nested.splice(0), "elements where HTML does not allow them").toEqual([]);
});

export function open(path: string) {
  window.history.replaceState(null, "", path);
  const { unmount } = render(<Site cache={createQueryClient()} />);
  return { user: userEvent.setup(), unmount };
}

export const callsTo = (path: string) => server.calls.filter((call) => call.path === path);

/** Sends a message to the newest socket. */
export function say(message: Record<string, unknown>): void {
  server.sockets.at(-1)?.say(message);
}

/** Sends a scoreboard snapshot; challenges by ID, or as objects. */
export function snapshot(rows: unknown[], listed: (string | { id: string })[] = []): void {
  const challenges = listed.map((one) => (typeof one === "string" ? challenge(one) : one));
  say({ event: "scoreboard", seq: 1, generation: "g", challenges, scoreboard: rows });
}
