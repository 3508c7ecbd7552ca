/**
 * The connection to the organizers' live channel: one socket for all pages, opened again after it
 * was lost. It says what the organizer looks at, and knows nothing of lists.
 */
import { apiUrl } from "./base";
import { isRecord } from "./unknown";

/** Another organizer, and what they look at: `team Otters`. */
export interface Look {
  readonly name: string;
  readonly object: string | null;
}

/** A message of the channel, as docs/api.md has them. */
export type Frame =
  | { readonly event: "changed"; readonly lists: readonly string[] }
  | { readonly event: "presence"; readonly looks: readonly Look[] };

export interface Listener {
  /** The connection has told all lists that the roles read: each of them may be new. */
  onOpen(lists: readonly string[]): void;
  onFrame(frame: Frame): void;
  /** Nothing is told any more, until it is open again. */
  onLost(): void;
  /** The session, or what the roles may do, has changed. */
  onRefused(): void;
}

const BACKOFF_FIRST_MS = 1000;
const BACKOFF_MAX_MS = 30_000;
/** A row that is passed with `j` is not looked at. */
const LOOK_MS = 300;
const TICK_MS = 20_000;
/** A longer gap between ticks: the machine slept, and the socket is dead. */
const SLEPT_MS = 150_000;
/** Closed because the session or its rights ended (RFC 6455, 7.4.1). */
const POLICY = 1008;

/** The members of a known message are the server's word. */
function isFrame(message: unknown): message is Frame {
  return isRecord(message) && (message.event === "changed" || message.event === "presence");
}

/** Null for what is no known message. */
function parseFrame(text: unknown): Frame | null {
  if (typeof text !== "string") return null;
  try {
    const message: unknown = JSON.parse(text);
    return isFrame(message) ? message : null;
  } catch {
    return null;
  }
}

export class OrganizeChannel {
  #socket: WebSocket | null = null;
  /** Whether the socket has given a hint. */
  #isTold = false;
  #failures = 0;
  /** What is looked at, the newest last: a sheet lies over its panel. */
  #looks: string[] = [];
  #said: string | null = null;
  #tickedAtMs = 0;
  #timers = new Map<string, ReturnType<typeof setTimeout>>();
  readonly #address: string;
  readonly #listener: Listener;

  /** `view` is `public` to watch what players see. */
  constructor(view: string | undefined, listener: Listener) {
    const query = view ? `?view=${view}` : "";
    this.#address = apiUrl(`/organize/live${query}`).replace(/^http/, "ws");
    this.#listener = listener;
  }

  /** Opens the channel; returns a function that closes it for good. */
  start(): () => void {
    this.#connect();
    this.#tickedAtMs = Date.now();
    this.#later("tick", TICK_MS, this.#tick);
    window.addEventListener("online", this.#reconnect);
    return () => {
      window.removeEventListener("online", this.#reconnect);
      for (const timer of this.#timers.values()) clearTimeout(timer);
      this.#timers.clear();
      this.#drop();
    };
  }

  /** Tells the others that this is looked at, until the returned function is called. */
  look(object: string): () => void {
    this.#looks.push(object);
    this.#sayLook();
    return () => {
      this.#looks.splice(this.#looks.lastIndexOf(object), 1);
      this.#sayLook();
    };
  }

  #sayLook(): void {
    this.#later("look", LOOK_MS, () => {
      const object = this.#looks.at(-1) ?? null;
      if (object === this.#said || this.#socket?.readyState !== WebSocket.OPEN) return;
      this.#said = object;
      this.#socket.send(JSON.stringify({ event: "look", object }));
    });
  }

  #later(name: string, delayMs: number, run: () => void): void {
    clearTimeout(this.#timers.get(name));
    this.#timers.set(name, setTimeout(run, delayMs));
  }

  readonly #tick = (): void => {
    const now = Date.now();
    if (now - this.#tickedAtMs > SLEPT_MS) this.#reconnect();
    this.#tickedAtMs = now;
    this.#later("tick", TICK_MS, this.#tick);
  };

  readonly #reconnect = (): void => {
    this.#failures = 0;
    this.#connect();
  };

  #drop(): void {
    clearTimeout(this.#timers.get("connect"));
    const socket = this.#socket;
    if (socket === null) return;
    this.#socket = null;
    socket.close();
    this.#listener.onLost();
  }

  /** Opens a socket, the only one. */
  #connect(): void {
    this.#drop();
    const socket = new WebSocket(this.#address);
    this.#socket = socket;
    this.#said = null;
    this.#isTold = false;
    socket.addEventListener("message", ({ data }) => {
      if (socket === this.#socket) this.#onMessage(data);
    });
    socket.addEventListener("close", ({ code }) => {
      if (socket === this.#socket) this.#onClose(code);
    });
  }

  #onMessage(data: unknown): void {
    const frame = parseFrame(data);
    if (frame === null) return;
    if (!this.#isTold && frame.event === "changed") {
      this.#isTold = true;
      this.#failures = 0;
      this.#sayLook();
      this.#listener.onOpen(frame.lists);
    }
    this.#listener.onFrame(frame);
  }

  #onClose(code: number): void {
    this.#socket = null;
    this.#listener.onLost();
    if (code === POLICY) this.#listener.onRefused();
    const backoffMs = Math.min(BACKOFF_MAX_MS, BACKOFF_FIRST_MS * 2 ** this.#failures);
    this.#failures += 1;
    this.#later("connect", backoffMs * (0.5 + Math.random() / 2), () => this.#connect());
  }
}
