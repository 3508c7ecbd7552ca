/**
 * The live channel's client: one socket, the board fed by the pure reducer, reconnection with
 * backoff and jitter. Listeners hear of changes at most every `FLUSH_MS`, so a burst of solves is
 * one render. It draws nothing and decides nothing about the game.
 *
 * A browser does not say why a socket was refused. While HTTP is answered and sockets are not, they
 * are refused, by a limit or by a proxy: the board is polled and a socket is tried every few
 * minutes. While HTTP fails too, the server or the network is down: tries follow within seconds.
 */
import type { Board } from "../domain/board";
import {
  type Ask,
  type BoardMessage,
  EMPTY_FEED,
  type Feed,
  receive,
  type SolveMessage,
} from "../domain/live";
import { liveUrl } from "./base";
import { getSnapshot } from "./calls";
import type { Failure } from "./client";
import { type LiveMessage, parseLive, parseSnapshot } from "./live-message";
import { readToken } from "./token";

/** What the site draws of the channel; it lives in the query cache under `LIVE_KEY`. */
export interface LiveView {
  readonly board: Board | null;
  readonly online: boolean;
  /** True while sockets are refused and the board is polled. */
  readonly paused: boolean;
  /** Epoch milliseconds of the last message on the board, null before the first. */
  readonly heardAtMs: number | null;
}

const REFRESH_MS = 300_000;
const FLUSH_MS = 80;
const BACKOFF_FIRST_MS = 1000;
const BACKOFF_MAX_MS = 30_000;
const BACKOFF_PAUSED_MAX_MS = 300_000;
/** Sockets that fail in a row until live updates count as paused. */
const PAUSED_FAILURES = 4;
const POLL_MS = 30_000;
/** How long a socket stays open before it counts as accepted: a refused one is closed at once. */
const STEADY_MS = 10_000;
const FETCH_JITTER_MS = 2000;
const FETCH_TRIES_MAX = 4;
const TICK_MS = 20_000;
/** A gap between ticks that no throttled timer explains: the machine slept, the socket is dead. */
const SLEPT_MS = 150_000;

export const LIVE_KEY = ["live"] as const;
export const NOTHING_HEARD: LiveView = {
  board: null,
  online: false,
  paused: false,
  heardAtMs: null,
};

export interface LiveListener {
  onView(view: LiveView): void;
  onError(failure: Failure): void;
}

export class LiveClient {
  #feed: Feed = EMPTY_FEED;
  #socket: WebSocket | null = null;
  #online = false;
  #resuming = false;
  #heardAtMs: number | null = null;
  #failures = 0;
  #served = true;
  #lastError = "";
  #fetchTries = 0;
  #seqWanted = 0;
  /** Own solves that came since the last fetch began: the answer may be from before them. */
  #own: SolveMessage[] = [];
  #token = "";
  #timers = new Map<string, ReturnType<typeof setTimeout>>();
  #tickedAtMs = 0;
  readonly #listener: LiveListener;

  constructor(listener: LiveListener) {
    this.#listener = listener;
  }

  /** Opens the channel; the answer stops it for good. */
  start(): () => void {
    this.#tickedAtMs = Date.now();
    this.#connect();
    this.#later("tick", TICK_MS, this.#tick);
    window.addEventListener("online", this.#reconnect);
    return () => {
      window.removeEventListener("online", this.#reconnect);
      for (const timer of this.#timers.values()) clearTimeout(timer);
      this.#timers.clear();
      this.#drop();
    };
  }

  /** After a login or logout, here or in another tab: what is held is another viewer's board. */
  checkViewer(): void {
    if (readToken() === this.#token) return;
    this.#feed = EMPTY_FEED;
    this.#seqWanted = 0;
    this.#publish();
    this.#reconnect();
  }

  /** Asks for what was missed, over the socket if there is one. */
  refresh(): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#ask();
    else this.#fetchSoon(0);
  }

  #later(name: string, delayMs: number, run: () => void): void {
    clearTimeout(this.#timers.get(name));
    const timer = setTimeout(() => {
      this.#timers.delete(name);
      run();
    }, delayMs);
    this.#timers.set(name, timer);
  }

  #cancel(name: string): void {
    clearTimeout(this.#timers.get(name));
    this.#timers.delete(name);
  }

  readonly #tick = (): void => {
    const now = Date.now();
    if (now - this.#tickedAtMs > SLEPT_MS) this.#reconnect();
    this.#tickedAtMs = now;
    this.#later("tick", TICK_MS, this.#tick);
  };

  readonly #reconnect = (): void => {
    this.#failures = 0;
    this.#lastError = "";
    this.#drop();
    this.#connect();
  };

  #drop(): void {
    const socket = this.#socket;
    this.#socket = null;
    this.#online = false;
    socket?.close();
  }

  #connect(): void {
    const socket = new WebSocket(liveUrl());
    this.#socket = socket;
    this.#resuming = false;
    this.#token = readToken();
    socket.addEventListener("open", () => {
      if (socket === this.#socket) this.#opened();
    });
    socket.addEventListener("message", (event) => {
      if (socket === this.#socket) this.#heard(parseLive(event.data));
    });
    socket.addEventListener("close", () => {
      if (socket === this.#socket) this.#closed();
    });
  }

  #opened(): void {
    this.#online = true;
    this.#flushSoon();
    this.#ask();
    this.#later("steady", STEADY_MS, this.#accepted);
    this.#later("refresh", REFRESH_MS, this.#refreshAgain);
  }

  readonly #accepted = (): void => {
    this.#failures = 0;
    this.#lastError = "";
    this.#cancel("poll");
    this.#flushSoon();
  };

  readonly #refreshAgain = (): void => {
    this.refresh();
    this.#later("refresh", REFRESH_MS, this.#refreshAgain);
  };

  #ask(): void {
    const { seq = null, generation = null } = this.#feed.board ?? {};
    const resume = seq !== null && generation !== null ? { since: seq, generation } : {};
    if (seq !== null) this.#resuming = true;
    const message = {
      action: "getscoreboard",
      ...(this.#token && { token: this.#token }),
      ...resume,
    };
    this.#socket?.send(JSON.stringify(message));
  }

  #closed(): void {
    this.#socket = null;
    this.#online = false;
    this.#failures += 1;
    this.#cancel("steady");
    this.#cancel("refresh");
    if (this.#failures > 1) this.#fetchSoon(FETCH_JITTER_MS);
    if (this.#failures > 1 && !this.#timers.has("poll")) this.#pollLater();
    this.#connectLater();
    this.#flushSoon();
  }

  #connectLater(): void {
    const maxMs = this.#isPaused() ? BACKOFF_PAUSED_MAX_MS : BACKOFF_MAX_MS;
    const backoffMs = Math.min(maxMs, BACKOFF_FIRST_MS * 2 ** (this.#failures - 1));
    this.#later("connect", backoffMs * (0.5 + Math.random() / 2), () => this.#connect());
  }

  /** Sockets fail again and again while HTTP is answered. */
  #isPaused(): boolean {
    return this.#served && this.#failures >= PAUSED_FAILURES;
  }

  #pollLater(): void {
    this.#later("poll", POLL_MS * (0.75 + Math.random() / 2), () => {
      if (!this.#online) this.#fetchSoon(0);
      this.#pollLater();
    });
  }

  /** Once HTTP is answered again, a socket is tried soon: the server is back. */
  #heardHttp(served: boolean): void {
    const isChange = served !== this.#served;
    this.#served = served;
    if (!isChange || !this.#timers.has("connect")) return;
    if (served) this.#failures = 1;
    this.#connectLater();
    this.#flushSoon();
  }

  #heard(message: LiveMessage | null): void {
    if (message === null) return;
    if (message.event === "error") this.#refused(message);
    else this.#take(message);
    if (message.event === "scoreboard") this.#own = [];
    if (message.event === "solve" && message.seq === undefined) this.#own.push(message);
  }

  /** Reports what the server refused: once, however many sockets it says so on. */
  #refused({ message, code }: Failure): void {
    const isRepeated = this.#timers.has("steady") && message === this.#lastError;
    this.#lastError = message;
    if (!isRepeated) this.#listener.onError({ message, code });
  }

  #take(message: BoardMessage): void {
    if (message.event === "changed") this.#seqWanted = Math.max(this.#seqWanted, message.seq);
    const { feed, ask } = receive(this.#feed, message);
    this.#feed = feed;
    this.#heardAtMs = Date.now();
    this.#answerTo(ask);
    // The first snapshot makes this socket a resuming one: later changes come as `changed`.
    const first = message.event === "scoreboard" && !this.#resuming && this.#online;
    if (first && feed.board?.seq != null) this.#ask();
    this.#flushSoon();
  }

  #answerTo(ask: Ask): void {
    if (ask === "resume") this.#ask();
    if (ask === "fetch") this.#fetchSoon(FETCH_JITTER_MS);
  }

  #fetchSoon(jitterMs: number): void {
    if (this.#timers.has("fetch")) return;
    this.#later("fetch", Math.random() * jitterMs, () => void this.#fetch());
  }

  /** The snapshot over HTTP; one that is still older than what is known is asked for again. */
  async #fetch(): Promise<void> {
    const viewer = this.#token;
    this.#own = [];
    try {
      const message = parseSnapshot({ ...(await getSnapshot()) });
      this.#heardHttp(true);
      if (viewer !== this.#token || message === null) return;
      this.#take({ ...message, own: [...(message.own ?? []), ...this.#own] });
      if ((this.#feed.board?.seq ?? 0) < this.#seqWanted) this.#fetchAgain();
      else this.#fetchTries = 0;
    } catch {
      this.#heardHttp(false);
      this.#fetchAgain();
    }
  }

  #fetchAgain(): void {
    this.#fetchTries += 1;
    if (this.#fetchTries < FETCH_TRIES_MAX) this.#fetchSoon(FETCH_JITTER_MS * this.#fetchTries);
    else this.#fetchTries = 0;
  }

  #flushSoon(): void {
    if (this.#timers.has("flush")) return;
    this.#later("flush", FLUSH_MS, () => this.#publish());
  }

  #publish(): void {
    const { board } = this.#feed;
    // A socket that opens in a pause may be refused a moment later: the person is not told of it.
    const paused = this.#isPaused();
    const online = this.#online && !paused;
    this.#listener.onView({ board, online, paused, heardAtMs: this.#heardAtMs });
  }
}
