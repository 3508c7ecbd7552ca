/** The organizers' live channel, of all pages. It says what is looked at, and knows no lists. */
import { apiUrl } from "./base";
import { ReopeningSocket } from "./reopening-socket";

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

/** A row that is passed with `j` is not looked at. */
const LOOK_MS = 300;
/** Closed because the session or its rights ended (RFC 6455, 7.4.1). */
const POLICY = 1008;

export class OrganizeChannel extends ReopeningSocket<Frame> {
  protected readonly events = { changed: true, presence: true } as const;
  /** Whether the socket has given a hint. */
  #isTold = false;
  /** What is looked at, the newest last: a sheet lies over its panel. */
  #looks: string[] = [];
  #said: string | null = null;
  readonly #address: string;
  readonly #listener: Listener;

  /** `view` is `public` to watch what players see. */
  constructor(view: string | undefined, listener: Listener) {
    super();
    const query = view ? `?view=${view}` : "";
    this.#address = apiUrl(`/organize/live${query}`).replace(/^http/, "ws");
    this.#listener = listener;
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
    this.later("look", LOOK_MS, () => {
      const object = this.#looks.at(-1) ?? null;
      if (object === this.#said || this.socket?.readyState !== WebSocket.OPEN) return;
      this.#said = object;
      this.socket.send(JSON.stringify({ event: "look", object }));
    });
  }

  protected opening(): string {
    this.#said = null;
    this.#isTold = false;
    return this.#address;
  }

  protected onMessage(frame: Frame): void {
    if (!this.#isTold && frame.event === "changed") {
      this.#isTold = true;
      this.failures = 0;
      this.#sayLook();
      this.#listener.onOpen(frame.lists);
    }
    this.#listener.onFrame(frame);
  }

  protected override onLost(): void {
    this.#listener.onLost();
  }

  protected onClose(code: number): void {
    if (code === POLICY) this.#listener.onRefused();
    this.connectLater();
  }
}
