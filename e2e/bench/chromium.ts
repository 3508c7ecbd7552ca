// Chromium without a debugger. With a debugger attached, as in Playwright, the browser parses a
// script again for each error that a library creates, to find its line. That takes a fifth of the
// time to open the site, but does not happen for visitors. This client traces the whole browser
// over a DevTools protocol pipe, and attaches to a page only after its measurement.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable, Writable } from "node:stream";

type Answer = Record<string, unknown>;

interface Message {
  id?: number;
  method?: string;
  params?: Answer;
  result?: Answer;
  error?: { message: string };
}

export class Chromium {
  readonly #process: ChildProcess;
  readonly #profile: string;
  readonly #commands: Writable;
  readonly #waiting = new Map<number, (message: Message) => void>();
  readonly #events = new Map<string, (params: Answer) => void>();
  #sent = 0;

  constructor(executable: string, flags: readonly string[]) {
    this.#profile = mkdtempSync(join(tmpdir(), "flagship-bench-"));
    const fixed = ["--headless", "--remote-debugging-pipe", `--user-data-dir=${this.#profile}`];
    this.#process = spawn(executable, [...fixed, ...flags, "about:blank"], {
      stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"],
    });
    this.#commands = this.#process.stdio[3] as Writable;
    let text = "";
    (this.#process.stdio[4] as Readable).setEncoding("utf8").on("data", (part: string) => {
      const messages = (text + part).split("\0");
      text = messages.pop() ?? "";
      for (const message of messages) this.#hear(JSON.parse(message));
    });
  }

  #hear({ id, method, params = {}, ...rest }: Message): void {
    if (id !== undefined) this.#waiting.get(id)?.(rest);
    else if (method !== undefined) this.#events.get(method)?.(params);
  }

  /** Sends a command; `sessionId` identifies an attached page. */
  async send(method: string, params: Answer = {}, sessionId?: string): Promise<Answer> {
    this.#sent += 1;
    const id = this.#sent;
    const heard = new Promise<Message>((resolve) => this.#waiting.set(id, resolve));
    this.#commands.write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
    const { result, error } = await heard;
    this.#waiting.delete(id);
    if (!result) throw new Error(`${method}: ${error?.message}`);
    return result;
  }

  /** Opens a page in a new window; returns its target ID. */
  async open(url: string, width: number, height: number): Promise<string> {
    const { browserContextId } = await this.send("Target.createBrowserContext");
    const page = { url, width, height, browserContextId, newWindow: true };
    return String((await this.send("Target.createTarget", page)).targetId);
  }

  /** Evaluates an expression or promise in a page, with a debugger attached. */
  async evaluate(targetId: string, expression: string): Promise<unknown> {
    const { sessionId } = await this.send("Target.attachToTarget", { targetId, flatten: true });
    const evaluated = { expression, returnByValue: true, awaitPromise: true };
    const { result } = await this.send("Runtime.evaluate", evaluated, String(sessionId));
    await this.send("Target.detachFromTarget", { sessionId });
    return (result as Answer).value;
  }

  async close(targetId: string): Promise<void> {
    await this.send("Target.closeTarget", { targetId });
  }

  async startTracing(categories: readonly string[]): Promise<void> {
    const traceConfig = { includedCategories: categories, excludedCategories: ["*"] };
    await this.send("Tracing.start", { transferMode: "ReturnAsStream", traceConfig });
  }

  /** Returns the trace since `startTracing`, in Chromium's JSON trace format. */
  async stopTracing(): Promise<string> {
    const complete = new Promise<Answer>((resolve) =>
      this.#events.set("Tracing.tracingComplete", resolve),
    );
    await this.send("Tracing.end");
    const { stream: handle } = await complete;
    let trace = "";
    for (let eof: unknown = false; eof !== true; ) {
      const part = await this.send("IO.read", { handle, size: 1 << 20 });
      trace += part.base64Encoded ? Buffer.from(String(part.data), "base64") : part.data;
      eof = part.eof;
    }
    await this.send("IO.close", { handle });
    return trace;
  }

  async stop(): Promise<void> {
    const ended = once(this.#process, "exit");
    this.#process.kill("SIGKILL");
    await ended;
    rmSync(this.#profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }
}
