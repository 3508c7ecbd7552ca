/** The live client with a fake WebSocket and fake HTTP responses. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { NewsMessage } from "../domain/live";
import type { Failure } from "./client";
import { FakeSocket } from "./fake-socket";
import { LiveClient, type LiveView, NO_LIVE_VIEW } from "./live";
import { clearToken, writeToken } from "./token";

const snapshot = (seq: number, teams: string[] = []) => ({
  event: "scoreboard",
  seq,
  generation: "g",
  challenges: [],
  scoreboard: teams.map((name) => [name, "UN", {}, 0]),
});

let view: LiveView;
let errors: Failure[];
let told: NewsMessage[];
let replaced: number;
let progress: number;
let reopened: number;
let firsts: number[];
let stop: () => void;
let live: LiveClient;
let fetched: number;
let served: unknown;

function latest(): FakeSocket {
  const socket = FakeSocket.all.at(-1);
  if (!socket) throw new Error("no socket was opened");
  return socket;
}
function names(): string[] {
  return view.board?.teams.map(({ teamName }) => teamName) ?? [];
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(Math, "random").mockReturnValue(0.75); // jitter
  FakeSocket.all = [];
  view = NO_LIVE_VIEW;
  errors = [];
  told = [];
  replaced = 0;
  progress = 0;
  reopened = 0;
  firsts = [];
  fetched = 0;
  served = snapshot(0);
  vi.stubGlobal("WebSocket", FakeSocket);
  vi.stubGlobal("fetch", async () => {
    fetched += 1;
    return new Response(JSON.stringify(served));
  });
  live = new LiveClient({
    onView: (next) => {
      view = next;
    },
    onError: (failure) => errors.push(failure),
    onNews: (message) => told.push(message),
    onAnswer: () => {},
    onProgress: () => {
      progress += 1;
    },
    onReopened: () => {
      reopened += 1;
    },
    onBoardReplaced: () => {
      replaced += 1;
    },
    onFirstBoard: (seq) => firsts.push(seq),
  });
  stop = live.start();
});

afterEach(() => {
  stop();
  clearToken();
  vi.useRealTimers();
});

test("requests the board on open, and resumes after the first snapshot", () => {
  latest().open();
  expect(latest().sent).toEqual([{ action: "getscoreboard" }]);
  latest().say(snapshot(7, ["Ants"]));
  expect(latest().sent.slice(1)).toEqual([{ action: "getscoreboard", since: 7, generation: "g" }]);
  vi.advanceTimersByTime(100);
  expect(names()).toEqual(["Ants"]);
  expect(view.online).toBe(true);
});

test("sends the team's token, never a foreign one", () => {
  stop();
  writeToken("fsp_mine");
  stop = live.start();
  latest().open();
  expect(latest().sent).toEqual([{ action: "getscoreboard", token: "fsp_mine" }]);
  stop();
  writeToken("eyJforeign");
  stop = live.start();
  latest().open();
  expect(latest().sent).toEqual([{ action: "getscoreboard" }]);
});

const notice = {
  event: "notice",
  id: 5,
  at: 1,
  title: "Lunch",
  html: "<p>Soon.</p>",
  challengeId: null,
  urgent: false,
  correctedAt: null,
  withdrawn: false,
  withdrawnAt: null,
  urgentUntil: null,
};

test("forwards organizer messages, and resumes after them", () => {
  latest().open();
  latest().say(snapshot(7, ["Ants"]));
  latest().say({ ...notice, seq: 8 });
  latest().say({ event: "status", challengeId: "a", status: "broken", note: "down", seq: 9 });
  latest().say({ event: "weather", seq: 10 });
  latest().say("{");
  expect(told).toEqual([
    { ...notice, seq: 8 },
    { event: "status", challengeId: "a", status: "broken", note: "down", seq: 9 },
  ]);
  vi.advanceTimersByTime(300_000);
  expect(latest().sent.at(-1)).toEqual({ action: "getscoreboard", since: 9, generation: "g" });
  expect(names()).toEqual(["Ants"]);
});

test("reports a replaced board, but not the first or an unchanged one", () => {
  latest().open();
  latest().say(snapshot(7));
  latest().say(snapshot(7));
  expect(replaced).toBe(0);
  expect(firsts).toEqual([7]);
  latest().say(snapshot(9));
  expect(replaced).toBe(1);
  latest().say(snapshot(8));
  expect(replaced).toBe(1);
  expect(firsts).toEqual([7]);
});

test("an own award announces a hint, and a new socket what may have been missed", () => {
  latest().open();
  latest().say(snapshot(7, ["Ants"]));
  latest().say({ event: "award", teamName: "Ants", award: -5, seq: 8 });
  expect(progress).toBe(0);
  latest().say({ event: "award", teamName: "Ants", award: -5 });
  latest().say({ event: "progress", challengeId: "a" });
  expect(progress).toBe(2);
  vi.advanceTimersByTime(10_000);
  expect(reopened).toBe(0);
  latest().close();
  vi.advanceTimersByTime(5000);
  latest().open();
  vi.advanceTimersByTime(2000);
  expect(reopened).toBe(1);
});

test("requests the board again every 300 seconds", () => {
  latest().open();
  vi.advanceTimersByTime(299_000);
  expect(latest().sent).toHaveLength(1);
  vi.advanceTimersByTime(302_000);
  expect(latest().sent).toHaveLength(3);
});

test("reconnects after a close with growing delay, and resumes", async () => {
  latest().open();
  latest().say(snapshot(7));
  latest().close();
  vi.advanceTimersByTime(100);
  expect(view.online).toBe(false);
  vi.advanceTimersByTime(1000);
  expect(FakeSocket.all).toHaveLength(2);
  latest().open();
  expect(latest().sent).toEqual([{ action: "getscoreboard", since: 7, generation: "g" }]);
});

test("back online while a reconnect is pending: only one socket is opened", async () => {
  latest().close();
  window.dispatchEvent(new Event("online"));
  await vi.advanceTimersByTimeAsync(60_000);
  expect(FakeSocket.all.filter(({ readyState }) => readyState !== 3)).toEqual([latest()]);
  expect(FakeSocket.all).toHaveLength(2);
});

test("while HTTP fails too, the delay between attempts grows to 30 seconds", async () => {
  vi.stubGlobal("fetch", async () => Promise.reject(new TypeError("down")));
  for (let attempt = 0; attempt < 10; attempt += 1) {
    latest().close();
    await vi.advanceTimersByTimeAsync(30_000);
  }
  const before = FakeSocket.all.length;
  latest().close();
  await vi.advanceTimersByTimeAsync(14_900);
  expect(FakeSocket.all).toHaveLength(before);
  await vi.advanceTimersByTimeAsync(15_200);
  expect(FakeSocket.all).toHaveLength(before + 1);
});

test("a rejected socket is reported once, and the board is polled", async () => {
  served = snapshot(3, ["Bees"]);
  const refused = async () => {
    latest().open();
    latest().say({ event: "error", message: "Too many live connections." });
    latest().close();
    await vi.advanceTimersByTimeAsync(1);
  };
  const startedAt = Date.now();
  while (Date.now() - startedAt < 3_600_000) {
    if (latest().readyState === 0) await refused();
    await vi.advanceTimersByTimeAsync(500);
  }
  expect(errors.map(({ message }) => message)).toEqual(["Too many live connections."]);
  expect(view).toMatchObject({ online: false, paused: true });
  // The backoff grows to five minutes, while the client polls the board about every 30 seconds.
  expect(FakeSocket.all.length).toBeLessThan(30);
  expect(fetched).toBeGreaterThan(60);
  expect(names()).toEqual(["Bees"]);
});

test("a socket accepted after a pause stops the polling", async () => {
  for (let attempt = 0; attempt < 6; attempt += 1) {
    latest().close();
    await vi.advanceTimersByTimeAsync(60_000);
  }
  expect(view.paused).toBe(true);
  await vi.advanceTimersByTimeAsync(300_000);
  latest().open();
  latest().say(snapshot(7, ["Ants"]));
  await vi.advanceTimersByTimeAsync(11_000);
  expect(view).toMatchObject({ online: true, paused: false });
  const before = fetched;
  await vi.advanceTimersByTimeAsync(120_000);
  expect(fetched).toBe(before);
  latest().say({ event: "error", message: "Too many messages." });
  latest().say({ event: "error", message: "Too many messages." });
  expect(errors).toHaveLength(2);
});

test("when the server is back, a socket is opened within a minute", async () => {
  const answering = fetch;
  vi.stubGlobal("fetch", async () => Promise.reject(new TypeError("down")));
  for (let attempt = 0; attempt < 12; attempt += 1) {
    latest().close();
    await vi.advanceTimersByTimeAsync(30_000);
  }
  expect(view.paused).toBe(false);
  vi.stubGlobal("fetch", answering);
  const before = FakeSocket.all.length;
  latest().close();
  await vi.advanceTimersByTimeAsync(40_000);
  expect(FakeSocket.all.length).toBeGreaterThan(before);
});

test("without a socket the board is fetched over HTTP", async () => {
  served = snapshot(3, ["Bees"]);
  latest().close();
  await vi.advanceTimersByTimeAsync(1000);
  latest().close();
  await vi.advanceTimersByTimeAsync(2200);
  expect(names()).toEqual(["Bees"]);
});

test("`changed` fetches the snapshot, again while it is outdated", async () => {
  latest().open();
  latest().say(snapshot(7));
  served = snapshot(7);
  latest().say({ event: "changed", seq: 8 });
  await vi.advanceTimersByTimeAsync(2000);
  expect(fetched).toBe(1);
  served = snapshot(8, ["Cats"]);
  await vi.advanceTimersByTimeAsync(4200);
  expect(fetched).toBe(2);
  expect(names()).toEqual(["Cats"]);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(fetched).toBe(2);
});

test("the server can shorten the fetch jitter, but not extend it", async () => {
  latest().open();
  latest().say(snapshot(7));
  served = snapshot(9);
  latest().say({ event: "changed", seq: 8, withinMs: 200 });
  await vi.advanceTimersByTimeAsync(140);
  expect(fetched).toBe(0);
  await vi.advanceTimersByTimeAsync(20);
  expect(fetched).toBe(1);
  served = snapshot(10);
  latest().say({ event: "changed", seq: 10, withinMs: 60_000 });
  await vi.advanceTimersByTimeAsync(1600);
  expect(fetched).toBe(2);
});

test("the server can move a pending fetch forward, but not after a failure", async () => {
  latest().open();
  latest().say(snapshot(7));
  served = snapshot(9);
  latest().say({ event: "changed", seq: 8 });
  latest().say({ event: "changed", seq: 9, withinMs: 200 });
  await vi.advanceTimersByTimeAsync(160);
  expect(fetched).toBe(1);
  await vi.advanceTimersByTimeAsync(5000);
  expect(fetched).toBe(1);
  let failed = 0;
  vi.stubGlobal("fetch", async () => {
    failed += 1;
    throw new TypeError("down");
  });
  latest().say({ event: "changed", seq: 10, withinMs: 200 });
  await vi.advanceTimersByTimeAsync(160);
  latest().say({ event: "changed", seq: 11, withinMs: 200 });
  await vi.advanceTimersByTimeAsync(1400);
  expect(failed).toBe(1);
  await vi.advanceTimersByTimeAsync(200);
  expect(failed).toBe(2);
});

test("error messages are shown; malformed and unknown events are ignored", () => {
  latest().open();
  latest().say({ event: "error", code: "overloaded", message: "Too many requests." });
  latest().say({ event: "error", message: "An older server's." });
  latest().say({ event: "party" });
  latest().say("not json");
  latest().say([1, 2]);
  expect(errors).toEqual([
    { code: "overloaded", message: "Too many requests." },
    { code: undefined, message: "An older server's." },
  ]);
});

test("another viewer starts from scratch on a new socket", () => {
  latest().open();
  latest().say(snapshot(7, ["Ants"]));
  live.checkViewer();
  expect(FakeSocket.all).toHaveLength(1);
  writeToken("fsp_mine");
  live.checkViewer();
  expect(view.board).toBeNull();
  latest().open();
  expect(latest().sent).toEqual([{ action: "getscoreboard", token: "fsp_mine" }]);
});

/** A board with one challenge that one team solved before the freeze. */
const frozen = (seq: number, teams: string[]) => ({
  ...snapshot(seq, teams),
  challenges: [{ id: "a", nsolves: 1, fbTs: 5 }],
});
const ownSolve = { event: "solve", challengeId: "a", teamName: "Ants", ts: 9 };

/** Restarts the client as a team; returns the fetched paths. */
function startAsTeam(own: () => Response): string[] {
  const paths: string[] = [];
  vi.stubGlobal("fetch", async (request: Request) => {
    const path = new URL(request.url).pathname;
    paths.push(path);
    return path.endsWith("/own") ? own() : new Response(JSON.stringify(served));
  });
  stop();
  writeToken("fsp_mine");
  stop = live.start();
  return paths;
}
const ownSolves = (own: unknown[]) =>
  new Response(JSON.stringify({ teamName: "Ants", own, award: 0 }));

test("without a socket the viewer's own later solves are fetched separately", async () => {
  const paths = startAsTeam(() => ownSolves([{ challengeId: "a", ts: 9 }]));
  served = frozen(8, ["Ants", "Bees"]);
  latest().close();
  await vi.advanceTimersByTimeAsync(1000);
  latest().close();
  await vi.advanceTimersByTimeAsync(2200);
  const [ants, bees] = view.board?.teams ?? [];
  expect(ants?.solves.get("a")).toEqual({ position: 2, ts: 9, later: true });
  expect(bees?.solves.size).toBe(0);
  expect(view.board?.challenges[0]).toMatchObject({ nsolves: 2, fbTs: 5 });
  expect(paths).toEqual(["/api/scoreboard", "/api/scoreboard/own"]);
});

test("a fetched snapshot keeps valid own solves, and refetches them", async () => {
  let own = [{ challengeId: "a", ts: 9 }];
  const paths = startAsTeam(() => ownSolves(own));
  const changed = async (seq: number) => {
    served = frozen(seq, ["Ants", "Bees"]);
    latest().say({ event: "changed", seq });
    await vi.advanceTimersByTimeAsync(2000);
  };
  latest().open();
  latest().say(frozen(7, ["Ants"]));
  await changed(8);
  expect(paths).toEqual(["/api/scoreboard"]);
  latest().say(ownSolve);
  await changed(9);
  expect(paths.slice(1)).toEqual(["/api/scoreboard", "/api/scoreboard/own"]);
  expect(view.board?.teams[0]?.solves.get("a")).toEqual({ position: 2, ts: 9, later: true });
  own = [];
  await changed(10);
  expect(view.board?.teams[0]?.solves.size).toBe(0);
});

test("a board is shown after the session ends, but not without its solves before", async () => {
  let status = 503;
  startAsTeam(() => new Response('{"code":"x","message":"x"}', { status }));
  served = frozen(8, ["Ants"]);
  latest().close();
  await vi.advanceTimersByTimeAsync(1000);
  latest().close();
  await vi.advanceTimersByTimeAsync(1600);
  expect(view.board).toBeNull();
  status = 401;
  await vi.advanceTimersByTimeAsync(10_000);
  expect(names()).toEqual(["Ants"]);
});

test("an own solve during a snapshot fetch is not lost", async () => {
  let answer = (_: Response) => {};
  vi.stubGlobal("fetch", () => new Promise<Response>((resolve) => (answer = resolve)));
  latest().open();
  latest().say(frozen(7, ["Ants"]));
  latest().say({ event: "changed", seq: 8 });
  await vi.advanceTimersByTimeAsync(2000);
  latest().say(ownSolve);
  answer(new Response(JSON.stringify(frozen(8, ["Ants", "Bees"]))));
  await vi.advanceTimersByTimeAsync(2000);
  expect(names()).toEqual(["Ants", "Bees"]);
  expect(view.board?.teams[0]?.solves.get("a")).toEqual({ position: 2, ts: 9, later: true });
});

test("a burst of solves causes one update", () => {
  let views = 0;
  latest().open();
  latest().say(snapshot(0));
  vi.advanceTimersByTime(100);
  const before = view;
  for (let seq = 1; seq <= 20; seq += 1) {
    latest().say({ event: "newteam", seq, teamName: `team ${seq}`, country: "UN" });
    if (view !== before) views += 1;
  }
  expect(views).toBe(0);
  vi.advanceTimersByTime(100);
  expect(names()).toHaveLength(20);
});
