// Runs the real binary for a test: event folder, data folder, process, and emails.

import { type ChildProcess, execFile, spawn } from "node:child_process";
import { cp, mkdir, mkdtemp, open, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";

const ROOT = join(import.meta.dirname, "../..");
const BINARY = process.env.FLAGSHIP_BINARY ?? join(ROOT, "target/debug/flagship");
const LOGS = join(ROOT, "e2e/test-results/logs");

const READY = /^Flagship is ready on (http:\/\/\S+)$/m;
const READY_MS_MAX = 20_000;
/** The program must stop within five seconds. */
const STOP_MS_MAX = 5_000;
const COMMAND_MS_MAX = 20_000;

const HOUR_S = 3600;

/** The phase of the event when the program starts. */
export type Phase = "not started" | "running" | "frozen" | "ended";

/** Event times in seconds from now; past ones are negative. */
export interface Schedule {
  start: number;
  freeze: number;
  end: number;
}

/** Options for the test event. */
export interface Setup {
  /** True to start without an event folder, for a setup on the site. */
  isBare?: true;
  when?: Phase | Schedule;
  /** Another event folder, relative to the repository root. */
  event?: string;
  /** Edits the text of `event.toml`. */
  edit?: (text: string) => string;
  /** Files to add to the event folder or overwrite, by path. */
  files?: Record<string, string>;
  /** Environment variables. */
  environment?: Record<string, string>;
}

/** A team for `flagship team import`. */
export interface ImportedTeam {
  name: string;
  email: string;
  country: string;
  password: string;
  isStudent?: boolean;
}

/** A running `flagship serve` with its own folders. */
/** Purpose of an emailed link. */
type LinkKind = "confirm" | "reset" | "stop" | "address";

export class Program {
  /** The site's URL, without a trailing slash. */
  readonly url: string;
  /** Output of the program. */
  readonly log: string;
  readonly #folder: string;
  readonly #setup: Setup;
  #process: ChildProcess;

  private constructor(started: Started, log: string, folder: string, setup: Setup) {
    this.url = started.url;
    this.#process = started.child;
    this.log = log;
    this.#folder = folder;
    this.#setup = setup;
  }

  /** Starts the program with a copy of the test event, and waits for the first response. */
  static async start(setup: Setup = {}): Promise<Program> {
    const folder = await mkdtemp(join(tmpdir(), "flagship-e2e-"));
    if (!setup.isBare) await writeEvent(join(folder, "event"), setup);
    await mkdir(LOGS, { recursive: true });
    const log = join(LOGS, `${process.pid}-${Date.now()}.log`);
    const started = await serve(folder, log, "127.0.0.1:0", setup);
    return new Program(started, log, folder, setup);
  }

  /** Returns the owner's invitation link, which a start without event files prints. */
  async ownersLink(): Promise<string> {
    const deadline = Date.now() + READY_MS_MAX;
    while (Date.now() < deadline) {
      const link = (await readFile(this.log, "utf8")).match(/http\S+\/organize\/invite#\S+/)?.[0];
      if (link) return link;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    throw new Error("no invitation was printed");
  }

  /** Kills the program as a power failure would; `revive` restarts it. */
  async kill(): Promise<void> {
    const child = this.#process;
    const ended = new Promise((resolve) => child.once("exit", resolve));
    child.kill("SIGKILL");
    await ended;
  }

  /** Restarts a killed program on the same address and data. */
  async revive(): Promise<void> {
    const { host } = new URL(this.url);
    this.#process = (await serve(this.#folder, this.log, host, this.#setup)).child;
  }

  /** Calls the HTTP API as a team. */
  async call(token: string, method: "GET" | "POST", path: string, body?: unknown) {
    const headers = { "X-Api-Key": token, "Content-Type": "application/json" };
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    return fetch(`${this.url}/api${path}`, { method, headers, ...sent });
  }

  /** Submits a correct flag; throws unless the solve is acknowledged. */
  async solve(token: string, challengeId: string, flag: string): Promise<void> {
    const answer = await this.call(token, "POST", "/solve", { challengeId, flag });
    const text = await answer.text();
    if (text !== '{"correct":true}') {
      throw new Error(`the flag of ${challengeId} was answered ${answer.status} ${text}`);
    }
  }

  /** Runs another `flagship` command on the same data while the program is serving. */
  async command(...words: string[]): Promise<string> {
    const data = ["--data", join(this.#folder, "data")];
    const { stdout } = await promisify(execFile)(BINARY, [...words, ...data], {
      timeout: COMMAND_MS_MAX,
    });
    return stdout;
  }

  /** Applies new times to the running event, in seconds from now. */
  async reschedule(times: Partial<Schedule>): Promise<void> {
    const event = join(this.#folder, "event");
    const file = join(event, "event.toml");
    await writeFile(file, withTimes(await readFile(file, "utf8"), times));
    await this.command("apply", "--event", event);
  }

  /** Imports confirmed teams; returns tokens by name. */
  async importTeams(teams: ImportedTeam[]): Promise<Map<string, string>> {
    const rows = teams.map(({ name, email, country, isStudent, password }) => {
      return [name, email, country, isStudent ? "yes" : "", password];
    });
    const file = join(this.#folder, "teams.csv");
    const tokens = join(this.#folder, "tokens.csv");
    const head = ["name", "email", "country", "student", "password"];
    await writeFile(file, [head, ...rows].map((row) => `${row.join(",")}\n`).join(""));
    await rm(tokens, { force: true });
    await this.command("team", "import", file, "--tokens", tokens);
    const lines = (await readFile(tokens, "utf8")).trim().split("\n").slice(1);
    const all = new Map(lines.map((line) => [line.split(",")[0] ?? "", line.split(",")[1] ?? ""]));
    await this.#recognises([...all.values()].at(-1) ?? "");
    return all;
  }

  /** Makes join cards, for all teams unless one is named; returns the path of the sheet. */
  async joinCards(name: string, team?: string): Promise<string> {
    const sheet = join(this.#folder, name);
    const only = team === undefined ? [] : ["--team", team];
    await this.command("team", "cards", "--out", sheet, ...only);
    return sheet;
  }

  /** Waits until the running program has processed another command's changes. */
  async #recognises(token: string): Promise<void> {
    const deadline = Date.now() + COMMAND_MS_MAX;
    while (Date.now() < deadline) {
      const { loggedTeam } = await (await this.call(token, "GET", "/ctf")).json();
      if (loggedTeam) {
        return;
      }
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    throw new Error("the imported teams are not recognised");
  }

  /** Returns the link of this kind in the latest email to an address, if any. */
  async mailedLink(address: string, kind: LinkKind): Promise<string | undefined> {
    return (await this.mailedLinks(address, kind)).at(-1);
  }

  /** Returns the links of this kind in all emails to an address, oldest first. */
  async mailedLinks(address: string, kind: LinkKind): Promise<string[]> {
    const folder = join(this.#folder, "data/mail");
    const names = await readdir(folder).catch(() => []);
    const links: string[] = [];
    for (const name of names.filter((name) => name.endsWith(".eml")).sort()) {
      const mail = await readFile(join(folder, name), "utf8");
      const link = readable(mail).match(new RegExp(`http\\S+/${kind}#[\\w.~-]+`))?.[0];
      const [head] = mail.split(/\r?\n\r?\n/, 1);
      if (link && head?.includes(address)) {
        links.push(link);
      }
    }
    return links;
  }

  /** Stops the program and removes its folders; throws if it does not exit cleanly. */
  async stop(): Promise<void> {
    const child = this.#process;
    if (child.exitCode === null && child.signalCode === null) {
      const ended = new Promise((resolve) => child.once("exit", resolve));
      const late = setTimeout(() => child.kill("SIGKILL"), STOP_MS_MAX);
      child.kill("SIGTERM");
      await ended;
      clearTimeout(late);
    }
    await rm(this.#folder, { recursive: true, force: true });
    if (child.exitCode !== 0) {
      const how = child.signalCode ?? `exit code ${child.exitCode}`;
      throw new Error(`flagship serve did not stop cleanly: ${how}; see ${this.log}`);
    }
  }
}

interface Started {
  url: string;
  child: ChildProcess;
}

async function serve(folder: string, log: string, listen: string, setup: Setup): Promise<Started> {
  const output = await open(log, "w");
  const event = setup.isBare ? [] : ["--event", join(folder, "event")];
  const data = ["--data", join(folder, "data")];
  const child = spawn(BINARY, ["serve", ...event, ...data, "--listen", listen], {
    stdio: ["ignore", output.fd, output.fd],
    env: { ...process.env, ...setup.environment },
  });
  const failed = new Promise<never>((_, reject) => child.once("error", reject));
  await output.close();
  return { url: await Promise.race([readyAddress(child, log), failed]), child };
}

async function readyAddress(child: ChildProcess, log: string): Promise<string> {
  const deadline = Date.now() + READY_MS_MAX;
  while (Date.now() < deadline && child.exitCode === null) {
    const url = (await readFile(log, "utf8")).match(READY)?.[1];
    if (url) {
      return url.replace(/\/$/, "");
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  child.kill("SIGKILL");
  throw new Error(`flagship serve did not get ready:\n${await readFile(log, "utf8")}`);
}

/** Copies the event, with times that put it into the given phase. */
async function writeEvent(folder: string, setup: Setup): Promise<void> {
  await cp(join(ROOT, setup.event ?? "e2e/event"), folder, { recursive: true });
  const file = join(folder, "event.toml");
  const text = withTimes(await readFile(file, "utf8"), schedule(setup.when ?? "running"));
  await writeFile(file, setup.edit?.(text) ?? text);
  for (const [path, content] of Object.entries(setup.files ?? {})) {
    await mkdir(join(folder, dirname(path)), { recursive: true });
    await writeFile(join(folder, path), content);
  }
}

/** Replaces the times in an `event.toml`, in seconds from now. */
function withTimes(text: string, times: Partial<Schedule>): string {
  const at = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString();
  const lines = Object.entries(times).map(([name, seconds]) => `${name} = ${at(seconds)}\n`);
  const old = new RegExp(`^(${Object.keys(times).join("|")}) = .*\n`, "gm");
  return text.replace(old, "").replace("[event]\n", `[event]\n${lines.join("")}`);
}

function schedule(when: Phase | Schedule): Schedule {
  switch (when) {
    case "not started":
      return { start: HOUR_S, freeze: 5 * HOUR_S, end: 6 * HOUR_S };
    case "running":
      return { start: -HOUR_S, freeze: 3 * HOUR_S, end: 4 * HOUR_S };
    case "frozen":
      return { start: -4 * HOUR_S, freeze: -HOUR_S, end: HOUR_S };
    case "ended":
      return { start: -6 * HOUR_S, freeze: -2 * HOUR_S, end: -HOUR_S };
    default:
      return when;
  }
}

/** Decodes quoted-printable as far as links require. */
function readable(mail: string): string {
  return mail
    .replace(/=\r?\n/g, "")
    .replace(/=3D/g, "=")
    .replace(/=23/g, "#");
}
