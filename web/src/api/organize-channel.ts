/** Live channel shared by all organizer pages. Sends presence; independent of the lists. */
import { apiUrl } from "./base";
import { ReopeningSocket } from "./reopening-socket";

/** Presence of another organizer: the name, and the object being viewed, as `team Otters`. */
export interface Presence {
  readonly name: string;
  readonly object: string | null;
}

/** A channel message, as documented in docs/api.md. */
export type Frame =
  | { readonly event: "changed"; readonly lists: readonly string[] }
  | { readonly event: "presence"; readonly looks: readonly Presence[] };

export interface Listener {
  /** Called on connection with all lists that the roles can read; any may have changed. */
  onOpen(lists: readonly string[]): void;
  onFrame(frame: Frame): void;
  /** Called when the channel is lost; no updates arrive until it reopens. */
  onLost(): void;
  /** Called when the session or its permissions changed. */
  onRefused(): void;
}

/** Delay before presence is sent, so that rows that `j` skips are not reported. */
const LOOK_MS = 300;
/** Close code sent when the session or its permissions ended (RFC 6455, 7.4.1). */
const POLICY = 1008;

export class OrganizeChannel extends ReopeningSocket<Frame> {
  protected readonly events = { changed: true, presence: true } as const;
  /** True if the socket has received a hint. */
  #isTold = false;
  /** Objects being viewed, newest last: a dialog opens on top of its panel. */
  #looks: string[] = [];
  #said: string | null = null;
  readonly #address: string;
  readonly #listener: Listener;

  /** `view` is `public` for the view that players have. */
  constructor(view: string | undefined, listener: Listener) {
    super();
    const query = view ? `?view=${view}` : "";
    this.#address = apiUrl(`/organize/live${query}`).replace(/^http/, "ws");
    this.#listener = listener;
  }

  /** Tells other organizers that this object is being viewed, until the returned function runs. */
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
