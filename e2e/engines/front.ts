// TLS proxy in front of the program, as in production. Without TLS, WebKit rejects Secure cookies
// even on localhost. The proxy also simulates a lost network.

import { execFile } from "node:child_process";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { createServer, type Server } from "node:tls";
import { promisify } from "node:util";

const CERTIFICATE = [
  ...["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"],
  ...["-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1"],
  ...["-days", "2", "-keyout", "-", "-out", "-"],
];

export class Front {
  /** URL for visitors, without a trailing slash. */
  readonly url: string;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  /** Port of the program; undefined while disconnected. */
  #port: number | undefined;

  private constructor(server: Server) {
    const address = server.address();
    this.url = `https://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
    this.#server = server;
    server.on("secureConnection", (visitor) => this.#lead(visitor));
  }

  static async open(): Promise<Front> {
    const { stdout: pem } = await promisify(execFile)("openssl", CERTIFICATE);
    const server = createServer({ key: pem, cert: pem }).listen(0, "127.0.0.1");
    await once(server, "listening");
    return new Front(server);
  }

  /** Forwards connections to the program from now on. */
  leadTo(program: string): void {
    this.#port = Number(new URL(program).port);
  }

  /** Closes all connections and rejects new ones, to simulate a lost network. */
  cut(): void {
    this.#port = undefined;
    for (const socket of this.#sockets) {
      socket.destroy();
    }
  }

  async close(): Promise<void> {
    this.cut();
    this.#server.close();
    await once(this.#server, "close");
  }

  #lead(visitor: Socket): void {
    if (this.#port === undefined) {
      visitor.destroy();
      return;
    }
    const program = connect(this.#port, "127.0.0.1");
    for (const [one, other] of [
      [visitor, program],
      [program, visitor],
    ] as const) {
      this.#sockets.add(one);
      // An error on one side closes the other.
      one.on("error", () => other.destroy());
      one.on("close", () => this.#sockets.delete(one));
      one.pipe(other);
    }
  }
}
