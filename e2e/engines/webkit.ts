// WebKitGTK from Debian, controlled by its own driver with the classic WebDriver protocol (JSON
// over HTTP). The engine computes roles and names. The window is on a virtual display.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { type Engine, FIND_MS_MAX } from "./engine.ts";

const DRIVER = "/usr/bin/WebKitWebDriver";
const DISPLAY = "/usr/bin/Xvfb";
const BROWSER = "/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser";

/** Key of an element ID in responses (W3C WebDriver, 12.1). */
const ELEMENT = "element-6066-11e4-a52e-4f735466cecf";
/** Selectors of elements that can have a role; the engine reports their actual roles. */
const CANDIDATES = {
  link: "a[href]",
  button: "button",
  option: "[role=option]",
  checkbox: "input[type=checkbox]",
  field: "input, textarea, select",
};
const RETRY_MS = 50;

export class WebKit implements Engine {
  readonly #processes: ChildProcess[];
  /** Session URL for commands. */
  #session: string;

  private constructor(processes: ChildProcess[], session: string) {
    this.#processes = processes;
    this.#session = session;
  }

  static async start(): Promise<WebKit> {
    const screen = ["-displayfd", "3", "-screen", "0", "1440x1024x24", "-nolisten", "tcp"];
    const display = spawn(DISPLAY, screen, { stdio: ["ignore", "ignore", "ignore", "pipe"] });
    const [number] = await once(display.stdio[3] ?? display, "data");
    const port = await freePort();
    const env = { ...process.env, DISPLAY: `:${String(number).trim()}` };
    const driver = spawn(DRIVER, ["-p", String(port)], { env, stdio: "ignore" });
    const webkit = new WebKit([driver, display], `http://127.0.0.1:${port}/session`);
    await webkit.#begin().catch(async (error: unknown) => {
      await webkit.#end();
      throw error;
    });
    return webkit;
  }

  /** Opens the browser window when the driver is ready. */
  async #begin(): Promise<void> {
    const options = { "webkitgtk:browserOptions": { binary: BROWSER, args: ["--automation"] } };
    const capabilities = { alwaysMatch: { acceptInsecureCerts: true, ...options } };
    const status = this.#session.replace(/session$/, "status");
    await untilDone(() => call("GET", status));
    const { sessionId } = await call("POST", this.#session, { capabilities });
    this.#session += `/${sessionId}`;
  }

  async open(url: string): Promise<void> {
    await call("POST", `${this.#session}/url`, { url });
  }

  async press(role: "link" | "button" | "option", name: string): Promise<void> {
    await this.#withElement(role, name, (element) => call("POST", `${element}/click`, {}));
  }

  async tick(name: string): Promise<void> {
    const press = (element: string) => call("POST", `${element}/value`, { text: " " });
    await this.#withElement("checkbox", name, press);
  }

  async fill(label: string, text: string): Promise<void> {
    await this.#withElement("field", label, async (element) => {
      await call("POST", `${element}/clear`, {});
      await call("POST", `${element}/value`, { text });
    });
  }

  read<T>(expression: string): Promise<T> {
    const script = `return ${expression}`;
    return call("POST", `${this.#session}/execute/sync`, { script, args: [] });
  }

  async close(): Promise<void> {
    await call("DELETE", this.#session);
    await this.#end();
  }

  async #end(): Promise<void> {
    for (const one of this.#processes) {
      if (one.exitCode !== null || one.signalCode !== null) continue;
      const ended = once(one, "exit");
      one.kill();
      await ended;
    }
  }

  /** Runs an operation on an element, retrying until it succeeds. */
  #withElement(
    kind: keyof typeof CANDIDATES,
    name: string,
    action: (element: string) => Promise<unknown>,
  ): Promise<void> {
    return untilDone(async () => action(await this.#find(kind, name)));
  }

  async #find(kind: keyof typeof CANDIDATES, name: string): Promise<string> {
    const css = { using: "css selector", value: CANDIDATES[kind] };
    for (const found of await call("POST", `${this.#session}/elements`, css)) {
      const element = `${this.#session}/element/${found[ELEMENT]}`;
      // Requesting the role or name of a hidden element is an error. Password fields have no role.
      const ask = (what: string) => call("GET", `${element}/${what}`).catch(() => "");
      if ((await ask("computedlabel")) !== name) continue;
      if (kind === "field" || (await ask("computedrole")) === kind) {
        return element;
      }
    }
    throw new Error(`no ${kind} is called ${name}`);
  }
}

/** Sends a protocol command; the response can have any shape. */
async function call(method: string, url: string, body?: unknown) {
  const sent = body === undefined ? {} : { body: JSON.stringify(body) };
  const answer = await fetch(url, { method, ...sent });
  const { value } = await answer.json();
  if (!answer.ok) {
    throw new Error(`${method} ${new URL(url).pathname}: ${value.error}: ${value.message}`);
  }
  return value;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  return typeof address === "object" && address ? address.port : 0;
}

/** Retries an operation; throws the last error after `FIND_MS_MAX`. */
async function untilDone(action: () => Promise<unknown>): Promise<void> {
  const deadline = Date.now() + FIND_MS_MAX;
  for (;;) {
    try {
      await action();
      return;
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  }
}
