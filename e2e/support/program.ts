// The real binary as a test sees it: an event folder, a data folder, a process, its mails.

import { type ChildProcess, execFile, spawn } from "node:child_process";
import { cp, mkdir, mkdtemp, open, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const ROOT = join(import.meta.dirname, "../..");
const BINARY = process.env.FLAGSHIP_BINARY ?? join(ROOT, "target/release/flagship");
const EVENT = join(ROOT, "e2e/event");
const LOGS = join(ROOT, "e2e/test-results/logs");

const READY = /^Flagship is ready on (http:\/\/\S+)$/m;
const READY_MS_MAX = 20_000;
/** The contract gives the program five seconds to stop. */
const STOP_MS_MAX = 5_000;
const COMMAND_MS_MAX = 20_000;

const HOUR_MS = 3_600_000;

/** Where in its life the event is when the program starts. */
export type Phase = "not started" | "running" | "frozen" | "ended";

/** A team as `flagship team import` takes it. */
export interface ImportedTeam {
  name: string;
  email: string;
  country: string;
  password: string;
}

/** A running `flagship serve` with folders of its own. */
export class Program {
  /** Where the site is, without a slash at the end. */
  readonly url: string;
  /** What the program has printed. */
  readonly log: string;
  readonly #process: ChildProcess;
  readonly #folder: string;

  private constructor(url: string, log: string, child: ChildProcess, folder: string) {
    this.url = url;
    this.log = log;
    this.#process = child;
    this.#folder = folder;
  }

  /** Starts the program with the test event in this phase, and waits until it answers. */
  static async start(phase: Phase): Promise<Program> {
    const folder = await mkdtemp(join(tmpdir(), "flagship-e2e-"));
    await writeEvent(join(folder, "event"), phase);
    await mkdir(LOGS, { recursive: true });
    const log = join(LOGS, `${phase.replace(" ", "-")}-${process.pid}-${Date.now()}.log`);
    const output = await open(log, "w");
    const event = ["--event", join(folder, "event"), "--data", join(folder, "data")];
    const child = spawn(BINARY, ["serve", ...event, "--listen", "127.0.0.1:0"], {
      stdio: ["ignore", output.fd, output.fd],
    });
    const failed = new Promise<never>((_, reject) => child.once("error", reject));
    await output.close();
    const url = await Promise.race([readyAddress(child, log), failed]);
    return new Program(url, log, child, folder);
  }

  /** Another `flagship` command on the same data, while the program serves. */
  async command(...words: string[]): Promise<string> {
    const data = ["--data", join(this.#folder, "data")];
    const { stdout } = await promisify(execFile)(BINARY, [...words, ...data], {
      timeout: COMMAND_MS_MAX,
    });
    return stdout;
  }

  /** Brings confirmed teams in; the answer is a token for each name. */
  async importTeams(teams: ImportedTeam[]): Promise<Map<string, string>> {
    const rows = teams.map((team) => [team.name, team.email, team.country, "", team.password]);
    const file = join(this.#folder, "teams.csv");
    const tokens = join(this.#folder, "tokens.csv");
    const head = ["name", "email", "country", "student", "password"];
    await writeFile(file, [head, ...rows].map((row) => `${row.join(",")}\n`).join(""));
    await rm(tokens, { force: true });
    await this.command("team", "import", file, "--tokens", tokens);
    const lines = (await readFile(tokens, "utf8")).trim().split("\n").slice(1);
    return new Map(lines.map((line) => [line.split(",")[0] ?? "", line.split(",")[1] ?? ""]));
  }

  /** The link of this kind in the newest mail to an address; nothing while there is none. */
  async mailedLink(address: string, kind: "confirm" | "reset"): Promise<string | undefined> {
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
    return links.at(-1);
  }

  /** Asks the program to end and removes its folders; an unclean end is an error. */
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

/** A copy of the test event whose times put it into this phase now. */
async function writeEvent(folder: string, phase: Phase): Promise<void> {
  await cp(EVENT, folder, { recursive: true });
  const [start, freeze, end] = hoursFromNow(phase).map((hours) =>
    new Date(Date.now() + hours * HOUR_MS).toISOString(),
  );
  const file = join(folder, "event.toml");
  const text = await readFile(file, "utf8");
  const times = `start = ${start}\nfreeze = ${freeze}\nend = ${end}`;
  await writeFile(file, text.replace(/^start = .*\nend = .*$/m, times));
}

function hoursFromNow(phase: Phase): [number, number, number] {
  switch (phase) {
    case "not started":
      return [1, 5, 6];
    case "running":
      return [-1, 3, 4];
    case "frozen":
      return [-4, -1, 1];
    case "ended":
      return [-6, -2, -1];
  }
}

/** A mail's text with the quoted-printable encoding taken back, as far as links need it. */
function readable(mail: string): string {
  return mail
    .replace(/=\r?\n/g, "")
    .replace(/=3D/g, "=")
    .replace(/=23/g, "#");
}
