/**
 * Client of the live channel: one socket, a board computed by the pure reducer, and reconnection
 * with backoff and jitter. The listener is notified at most every `FLUSH_MS`, so a burst of solves
 * causes one render. Rendering and scoring rules live elsewhere.
 *
 * Browsers do not report why a socket was rejected. If HTTP works and sockets fail, a limit or a
 * proxy rejects them: the client polls the board and retries the socket every few minutes. If HTTP
 * fails too, the server or the network is down: the client retries within seconds.
 */
import type { Board, Team } from "../domain/board";
import { hasLaterSolve } from "../domain/challenges";
import {
  type AwardMessage,
  type BoardMessage,
  EMPTY_FEED,
  type Feed,
  type NewsMessage,
  receive,
  type SolveMessage,
} from "../domain/live";
import { liveUrl } from "./base";
import { getOwnSolves, getSnapshot } from "./calls";
import { ApiError, type Failure } from "./client";
import { ReopeningSocket } from "./reopening-socket";
import type { components } from "./schema";
import { readToken } from "./token";

export type LiveMessage = components["schemas"]["LiveMessage"];

export const LIVE_EVENTS = {
  scoreboard: true,
  solve: true,
  newteam: true,
  award: true,
  notice: true,
  status: true,
  changed: true,
  progress: true,
  answer: true,
  error: true,
} as const;

/** Channel state shown by the site; stored in the query cache under `LIVE_KEY`. */
export interface LiveView {
  readonly board: Board | null;
  readonly online: boolean;
  /** True while sockets are rejected and the client polls the board. */
  readonly paused: boolean;
  /** Time of the board's last update in epoch milliseconds; null before the first. */
  readonly updatedAtMs: number | null;
}

/** A change that only the viewer's team sees. */
type OwnMessage = SolveMessage | AwardMessage;

const REFRESH_MS = 300_000;
const FLUSH_MS = 80;
const BACKOFF_PAUSED_MAX_MS = 300_000;
/** Number of consecutive socket failures after which live updates count as paused. */
const PAUSED_FAILURES = 4;
const POLL_MS = 30_000;
/** Time after which an open socket counts as accepted; a rejected one closes at once. */
const STEADY_MS = 10_000;
/** Maximum jitter of fetches; the server sends a lower value while few clients are connected. */
const FETCH_JITTER_MS = 2000;
const FETCH_TRIES_MAX = 4;

export const LIVE_KEY = ["live"] as const;
export const NO_LIVE_VIEW: LiveView = {
  board: null,
  online: false,
  paused: false,
  updatedAtMs: null,
};

export interface LiveListener {
  onView(view: LiveView): void;
  onError(failure: Failure): void;
  /** Receives a message from the organizers. The same message can arrive more than once. */
  onNews(message: NewsMessage): void;
  /** Called when the team has a new answer. */
  onAnswer(): void;
  /** Called when the team's found flags, attempts or hints changed. */
  onProgress(): void;
  /** Called after a lost connection: messages sent only to the team may have been missed. */
  onReopened(): void;
  /**
   * Called after a snapshot has replaced the board. Data outside snapshots may also have changed.
   */
  onBoardReplaced(): void;
  /** Called with the first board, which contains all public changes up to `seq`. */
  onFirstBoard(seq: number): void;
}

export class LiveClient extends ReopeningSocket<LiveMessage> {
  protected readonly events = LIVE_EVENTS;
  #feed: Feed = EMPTY_FEED;
  #resuming = false;
  #hasOpened = false;
  #updatedAtMs: number | null = null;
  #httpWorks = true;
  #lastError = "";
  #fetchTries = 0;
  #fetchAtMs = 0;
  /** Jitter of the pending fetch; 0 if its delay must not be shortened. */
  #fetchWithinMs = 0;
  #seqWanted = 0;
  /** Own solves and awards since the last fetch began, which its response may lack. */
  #own: OwnMessage[] = [];
  #token = "";
  readonly #listener: LiveListener;

  constructor(listener: LiveListener) {
    super();
    this.#listener = listener;
  }

  /** Replaces the board after a login or logout in any tab, because it depends on the viewer. */
  checkViewer(): void {
    if (readToken() === this.#token) return;
    this.#feed = EMPTY_FEED;
    this.#seqWanted = 0;
    this.#publish();
    this.reconnect();
  }

  /** Requests missed updates, over the socket if it is open. */
  refresh(): void {
    if (this.#isOpen()) this.#ask();
    else this.#fetchSoon(0);
  }

  #isOpen(): boolean {
    return this.socket?.readyState === WebSocket.OPEN;
  }

  protected override reconnect(): void {
    this.#lastError = "";
    super.reconnect();
  }

  protected opening(): string {
    this.#resuming = false;
    this.#token = readToken();
    return liveUrl();
  }

  protected override onOpen(): void {
    this.#flushSoon();
    this.#ask();
    if (this.#hasOpened) {
      this.later("reopened", Math.random() * FETCH_JITTER_MS, () => this.#listener.onReopened());
    }
    this.#hasOpened = true;
    this.later("steady", STEADY_MS, () => this.#onSteady());
    this.every("refresh", REFRESH_MS, () => this.refresh());
  }

  #onSteady(): void {
    this.failures = 0;
    this.#lastError = "";
    this.cancel("poll");
    this.#flushSoon();
  }

  #ask(): void {
    const { seq = null, generation = null } = this.#feed.board ?? {};
    const resume = seq !== null && generation !== null ? { since: seq, generation } : {};
    if (seq !== null) this.#resuming = true;
    const message = {
      action: "getscoreboard",
      ...(this.#token && { token: this.#token }),
      ...resume,
    };
    this.socket?.send(JSON.stringify(message));
  }

  protected onClose(): void {
    this.cancel("steady");
    this.cancel("refresh");
    if (this.failures > 1) this.#fetchSoon(FETCH_JITTER_MS);
    if (this.failures > 1 && !this.isDue("poll")) this.#pollLater();
    this.#retryLater();
    this.#flushSoon();
  }

  #retryLater(): void {
    this.connectLater(this.#isPaused() ? BACKOFF_PAUSED_MAX_MS : undefined);
  }

  /** True if sockets keep failing while HTTP works. */
  #isPaused(): boolean {
    return this.#httpWorks && this.failures >= PAUSED_FAILURES;
  }

  #pollLater(): void {
    this.later("poll", POLL_MS * (0.75 + Math.random() / 2), () => {
      if (!this.#isOpen()) this.#fetchSoon(0);
      this.#pollLater();
    });
  }

  /** Retries the socket soon when HTTP works again. */
  #onHttpResult(works: boolean): void {
    const isChange = works !== this.#httpWorks;
    this.#httpWorks = works;
    if (!isChange || !this.isDue("connect")) return;
    if (works) this.failures = 1;
    this.#retryLater();
    this.#flushSoon();
  }

  protected onMessage(message: LiveMessage): void {
    if (message.event === "answer") {
      this.#listener.onAnswer();
      return;
    }
    if (message.event === "progress") {
      this.#listener.onProgress();
      return;
    }
    if (message.event === "error") this.#onRefusal(message);
    else this.#apply(message);
    if (message.event === "notice" || message.event === "status") this.#listener.onNews(message);
    if (message.event === "scoreboard") this.#own = [];
    const isOwn = message.event === "solve" || message.event === "award";
    if (isOwn && message.seq === undefined) this.#own.push(message);
    // Another member may have taken a hint at no cost, which changes no row.
    if (message.event === "award" && message.seq === undefined) this.#listener.onProgress();
  }

  /** Reports a rejection once, even if each new socket repeats it. */
  #onRefusal({ message, code }: Failure): void {
    const isRepeated = this.isDue("steady") && message === this.#lastError;
    this.#lastError = message;
    if (!isRepeated) this.#listener.onError({ message, code });
  }

  #apply(message: BoardMessage): void {
    if (message.event === "changed") this.#seqWanted = Math.max(this.#seqWanted, message.seq);
    const { feed, ask } = receive(this.#feed, message);
    const before = this.#feed.board?.seq ?? null;
    this.#feed = feed;
    const after = feed.board?.seq ?? null;
    if (message.event === "scoreboard" && after !== null && after !== before) {
      if (before === null) this.#listener.onFirstBoard(after);
      else this.#listener.onBoardReplaced();
    }
    this.#updatedAtMs = Date.now();
    const withinMs = message.event === "changed" ? message.withinMs : undefined;
    if (ask === "resume") this.#ask();
    if (ask === "fetch") this.#fetchSoon(Math.min(withinMs ?? FETCH_JITTER_MS, FETCH_JITTER_MS));
    // After the first snapshot, the socket resumes: it announces later changes as `changed`.
    const first = message.event === "scoreboard" && !this.#resuming && this.#isOpen();
    if (first && feed.board?.seq != null) this.#ask();
    this.#flushSoon();
  }

  /**
   * Schedules a fetch with one random delay. A pending fetch moves forward only if its jitter
   * shrinks.
   */
  #fetchSoon(jitterMs: number, { isBackoff = false } = {}): void {
    const delayMs = Math.random() * jitterMs;
    const atMs = Date.now() + delayMs;
    const isEarlier = jitterMs < this.#fetchWithinMs && atMs < this.#fetchAtMs;
    if (this.isDue("fetch") && !isEarlier) return;
    this.#fetchAtMs = atMs;
    this.#fetchWithinMs = isBackoff ? 0 : jitterMs;
    this.later("fetch", delayMs, () => void this.#fetch());
  }

  /** Fetches the snapshot over HTTP; repeats if it is older than the last announced change. */
  async #fetch(): Promise<void> {
    const viewer = this.#token;
    this.#own = [];
    try {
      const snapshot = await getSnapshot();
      // Own solves are fetched after the snapshot, so that solves withdrawn before it are not
      // added.
      const own = await this.#ownSolves();
      this.#onHttpResult(true);
      if (viewer !== this.#token) return;
      this.#apply({ ...snapshot, event: "scoreboard" });
      for (const one of [...own, ...this.#own]) this.#apply(one);
      if ((this.#feed.board?.seq ?? 0) < this.#seqWanted) this.#fetchAgain();
      else this.#fetchTries = 0;
    } catch {
      this.#onHttpResult(false);
      this.#fetchAgain({ isBackoff: true });
    }
  }

  /** Own solves and the award that the snapshot lacks. An open socket delivers the initial ones. */
  async #ownSolves(): Promise<readonly OwnMessage[]> {
    const isLater = (team: Team) => team.laterAward === true || hasLaterSolve(team);
    const isTold = this.#isOpen() && !this.#feed.board?.teams.some(isLater);
    if (this.#token === "" || isTold) return [];
    try {
      return await getOwnSolves();
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) return [];
      throw error;
    }
  }

  #fetchAgain(why = { isBackoff: false }): void {
    this.#fetchTries += 1;
    if (this.#fetchTries >= FETCH_TRIES_MAX) this.#fetchTries = 0;
    else this.#fetchSoon(FETCH_JITTER_MS * this.#fetchTries, why);
  }

  #flushSoon(): void {
    if (this.isDue("flush")) return;
    this.later("flush", FLUSH_MS, () => this.#publish());
  }

  #publish(): void {
    const { board } = this.#feed;
    // A socket that opens while updates are paused may be rejected at once, so it is not shown as
    // online.
    const paused = this.#isPaused();
    const online = this.#isOpen() && !paused;
    this.#listener.onView({ board, online, paused, updatedAtMs: this.#updatedAtMs });
  }
}
