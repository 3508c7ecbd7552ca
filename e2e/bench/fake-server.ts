// Fake server for the benchmarks: the built site, a running event, and a live channel for pushed
// messages. It does little work, because only the site is measured.

import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join } from "node:path";
import type { Duplex } from "node:stream";

const DIST = join(import.meta.dirname, "../../web/dist");
const HOUR_MS = 3_600_000;
const WEBSOCKET_GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
const TYPES: Record<string, string> = {
  ".js": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
};

function info() {
  const now = Date.now();
  return {
    name: "Benchmark",
    startTime: now - HOUR_MS,
    endTime: now + HOUR_MS,
    freezeTime: null,
    loggedTeam: null,
    serverTime: now,
    // The number is higher than that of any snapshot.
    seq: Number.MAX_SAFE_INTEGER,
    status: "running",
    timezone: "UTC",
    flagFormat: "",
    studentLabel: "",
    registrationOpen: true,
    registration: {
      ...{ open: true, opens: null, closes: null, codes: "none", fields: [] },
      ...{ waitingList: false, full: false },
    },
    passwordMin: 6,
    captcha: { provider: "off", siteKey: null },
    site: { links: [], sponsors: [], pages: [] },
  };
}

/** Unmasked server text frame (RFC 6455, 5.2). */
function frame(text: string): Buffer {
  const payload = Buffer.from(text);
  const head = Buffer.alloc(payload.length < 126 ? 2 : payload.length < 65_536 ? 4 : 10);
  head[0] = 0x81;
  if (head.length === 2) head[1] = payload.length;
  else if (head.length === 4) {
    head[1] = 126;
    head.writeUInt16BE(payload.length, 2);
  } else {
    head[1] = 127;
    head.writeBigUInt64BE(BigInt(payload.length), 2);
  }
  return Buffer.concat([head, payload]);
}

export interface FakeServer {
  readonly url: string;
  /** Sends a message to every open page. */
  say(message: unknown): void;
  stop(): void;
}

/** Additional responses: to API calls, and greetings on other sockets. */
export interface Served {
  /** Returns the response of an API call; undefined for other paths. */
  answer(address: URL): unknown;
  greet(address: URL): readonly unknown[] | undefined;
}

/** Serves until it is stopped. Each new socket receives `snapshot` or its greeting. */
export async function startFakeServer(snapshot: unknown, served?: Served): Promise<FakeServer> {
  const sockets = new Set<Duplex>();
  const first = frame(JSON.stringify(snapshot));
  const server = createServer((request, response) => {
    const address = new URL(request.url ?? "/", "http://stand.in");
    const path = address.pathname;
    const file = join(DIST, path);
    const answer = path === "/api/ctf" ? info() : served?.answer(address);
    if (answer !== undefined) {
      response.setHeader("Content-Type", "application/json").end(JSON.stringify(answer));
    } else if (path.startsWith("/static/") && existsSync(file)) {
      response.setHeader("Content-Type", TYPES[extname(path)] ?? "application/octet-stream");
      response.end(readFileSync(file));
    } else {
      response.setHeader("Content-Type", "text/html").end(readFileSync(join(DIST, "index.html")));
    }
  });
  server.on("upgrade", (request, socket) => {
    const key = request.headers["sec-websocket-key"] ?? "";
    const accept = createHash("sha1")
      .update(key + WEBSOCKET_GUID)
      .digest("base64");
    socket.write(
      "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n" +
        `Sec-WebSocket-Accept: ${accept}\r\n\r\n`,
    );
    const greeting = served?.greet(new URL(request.url ?? "/", "http://stand.in"));
    for (const message of greeting ?? []) socket.write(frame(JSON.stringify(message)));
    if (!greeting) socket.write(first);
    // If there are two channels, messages go to the one with a greeting.
    if (greeting || !served) sockets.add(socket);
    socket.on("close", () => sockets.delete(socket)).on("error", () => sockets.delete(socket));
    socket.resume();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address: AddressInfo | string | null = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    say(message) {
      const bytes = frame(JSON.stringify(message));
      for (const socket of sockets) socket.write(bytes);
    },
    stop() {
      for (const socket of sockets) socket.destroy();
      server.close();
      server.closeAllConnections();
    },
  };
}
