/** A socket that reconnects after a loss, after sleep, and when the network is back. */

const BACKOFF_FIRST_MS = 1000;
const BACKOFF_MAX_MS = 30_000;
const TICK_MS = 20_000;
/**
 * Gap between ticks that throttled timers cannot cause: the machine slept, and the socket is dead.
 */
const SLEPT_MS = 150_000;

interface Named {
  readonly event: string;
}

type Events<Message extends Named> = Readonly<Record<Message["event"], true>>;

/** Parses a message; null if it is not JSON or the event is unknown. */
export function parseMessage<Message extends Named>(text: string, events: Events<Message>) {
  try {
    const message: Message | null = JSON.parse(text);
    return message && Object.hasOwn(events, message.event) ? message : null;
  } catch {
    return null;
  }
}

export abstract class ReopeningSocket<Message extends Named> {
  protected abstract readonly events: Events<Message>;
  protected socket: WebSocket | null = null;
  /** Number of consecutive failures. */
  protected failures = 0;
  #timers = new Map<string, ReturnType<typeof setTimeout>>();
  #tickedAtMs = 0;

  /** URL of a new socket. State of the previous socket must not be reused. */
  protected abstract opening(): string;
  protected abstract onMessage(message: Message): void;
  /** Called when the socket failed or the server closed it. */
  protected abstract onClose(code: number): void;
  protected onOpen(): void {}
  /** Called when the socket is gone, whichever side closed it. */
  protected onLost(): void {}

  /** Opens the socket; returns a function that closes it permanently. */
  start(): () => void {
    const onOnline = () => this.reconnect();
    this.#tickedAtMs = Date.now();
    this.#connect();
    this.every("tick", TICK_MS, () => this.#tick());
    window.addEventListener("online", onOnline);
    return () => {
      window.removeEventListener("online", onOnline);
      for (const timer of this.#timers.values()) clearTimeout(timer);
      this.#timers.clear();
      this.#drop();
    };
  }

  protected isDue(name: string): boolean {
    return this.#timers.has(name);
  }

  protected later(name: string, delayMs: number, run: () => void): void {
    this.cancel(name);
    const timer = setTimeout(() => {
      this.#timers.delete(name);
      run();
    }, delayMs);
    this.#timers.set(name, timer);
  }

  protected every(name: string, delayMs: number, run: () => void): void {
    this.later(name, delayMs, () => {
      run();
      this.every(name, delayMs, run);
    });
  }

  protected cancel(name: string): void {
    clearTimeout(this.#timers.get(name));
    this.#timers.delete(name);
  }

  #tick(): void {
    const now = Date.now();
    if (now - this.#tickedAtMs > SLEPT_MS) this.reconnect();
    this.#tickedAtMs = now;
  }

  protected reconnect(): void {
    this.failures = 0;
    this.#connect();
  }

  protected connectLater(maxMs = BACKOFF_MAX_MS): void {
    const backoffMs = Math.min(maxMs, BACKOFF_FIRST_MS * 2 ** (this.failures - 1));
    this.later("connect", backoffMs * (0.5 + Math.random() / 2), () => this.#connect());
  }

  #drop(): void {
    this.cancel("connect");
    const { socket } = this;
    if (socket === null) return;
    this.socket = null;
    socket.close();
    this.onLost();
  }

  /** Opens the socket; there is only one at a time. */
  #connect(): void {
    this.#drop();
    const socket = new WebSocket(this.opening());
    this.socket = socket;
    socket.addEventListener("open", () => {
      if (socket === this.socket) this.onOpen();
    });
    socket.addEventListener("message", ({ data }) => {
      const message = parseMessage(data, this.events);
      if (socket === this.socket && message) this.onMessage(message);
    });
    socket.addEventListener("close", ({ code }) => {
      if (socket !== this.socket) return;
      this.socket = null;
      this.failures += 1;
      this.onLost();
      this.onClose(code);
    });
  }
}
