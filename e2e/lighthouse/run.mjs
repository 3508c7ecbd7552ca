// Lighthouse on every route of the site, served by the real binary. Fails if accessibility or best
// practices score below 100, if performance on a player route scores below 90 on a throttled phone
// or, with `--desktop`, below 95 (median of several runs), or if the layout shifts. Run it with
// `npm run lighthouse` in e2e after a build; `-- --write` replaces the table in
// docs/performance.md. It has its own folder, because Lighthouse is larger than all other
// dependencies together.

import { execFileSync, spawn } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { availableParallelism, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { launch } from "chrome-launcher";
import lighthouse, { desktopConfig } from "lighthouse";
import puppeteer from "puppeteer-core";
import { code } from "../support/code.mjs";

const ROOT = join(import.meta.dirname, "../..");
const BINARY = process.env.FLAGSHIP_BINARY ?? join(ROOT, "target/release/flagship");
const CHROMIUM = process.env.CHROMIUM ?? "/usr/bin/chromium";
const RUNS = Number(process.env.LIGHTHOUSE_RUNS ?? 5);
const TEAM = "Lighthouse Keepers";
/** Routes by viewer: anonymous, team, and organizer. */
const ROUTES = [
  "/",
  "/scoreboard",
  "/scoreboard?graph=true",
  "/scoreboard?view=stage",
  `/team/${encodeURIComponent(TEAM)}`,
  "/rules",
  "/news",
  "/login",
  "/signup",
  "/confirm",
  "/reset",
  "/address",
  "/stop",
];
const TEAM_ROUTES = ["/", "/challenge", "/challenge?open=come-aboard", "/scoreboard", "/account"];
const ORGANIZERS_ROUTES = [
  "/organize",
  "/organize/challenges",
  "/organize/challenges/come-aboard/edit",
  `/organize/teams?team=${encodeURIComponent(TEAM)}`,
  "/organize/submissions",
  "/organize/messages",
  "/organize/event",
  "/organize/audit-log",
  "/organize/account",
];
const CATEGORIES = ["performance", "accessibility", "best-practices"];
const IS_DESKTOP = process.argv.includes("--desktop");
const PERFORMANCE_MIN = IS_DESKTOP ? 95 : 90;
/** Maximum cumulative layout shift. */
const SHIFT_MAX = 0.05;
const PAGE = join(ROOT, "docs/performance.md");
const SECTION = /(?<=<!-- lighthouse -->\n\n)[\s\S]*?(?=\n\n<!-- end lighthouse -->)/;
/** Maximum number of attempts per run, because a busy machine sometimes loses traces. */
const TRIES_MAX = 3;
const READY = /^Flagship is ready on (http:\/\/\S+)$/m;
const READY_MS_MAX = 60_000;

/** Starts the example event; returns its URL and a function that stops it. */
async function serve() {
  const data = await mkdtemp(join(tmpdir(), "flagship-lighthouse-"));
  const event = join(ROOT, "examples/beginner");
  const words = ["serve", "--event", event, "--data", data, "--demo", "--listen", "127.0.0.1:0"];
  const child = spawn(BINARY, words, { stdio: ["ignore", "pipe", "inherit"] });
  const url = await new Promise((resolve, reject) => {
    let said = "";
    const late = setTimeout(() => reject(new Error(`not ready: ${said}`)), READY_MS_MAX);
    child.once("error", reject);
    child.stdout.on("data", (bytes) => {
      said += bytes;
      const address = READY.exec(said)?.[1];
      if (!address) return;
      clearTimeout(late);
      resolve(address.replace(/\/$/, ""));
    });
  });
  const stop = async () => {
    const ended = new Promise((resolve) => child.once("exit", resolve));
    child.kill("SIGTERM");
    await ended;
    await rm(data, { recursive: true, force: true });
  };
  return { url, data, token: await importTeam(data), stop };
}

/** Imports a confirmed team; returns its token. */
async function importTeam(data) {
  const [teams, tokens] = ["teams.csv", "tokens.csv"].map((name) => join(data, name));
  const head = "name,email,country,student,password";
  await writeFile(teams, `${head}\n${TEAM},keepers@example.org,IT,false,\n`);
  execFileSync(BINARY, ["team", "import", teams, "--tokens", tokens, "--data", data]);
  const [, row = ""] = (await readFile(tokens, "utf8")).split("\n");
  return row.trim().split(",").at(-1);
}

/** Accepts the owner's invitation; returns the session cookie. */
async function enrol(url, data) {
  const words = ["organizer", "add", "Ada", "--role", "owner", "--data", data];
  const token = execFileSync(BINARY, words, { encoding: "utf8" }).trim().split("#").at(-1);
  const post = async (path, body) => {
    const headers = { "Content-Type": "application/json", "X-Organize": "1", Origin: url };
    const init = { method: "POST", headers, body: JSON.stringify(body) };
    const response = await fetch(`${url}/api/organize/${path}`, init);
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return response;
  };
  const { secret, enrolment } = await (await post("invitation", { token })).json();
  const body = { token, enrolment, password: "keepers of the light", code: code(secret) };
  const [cookie = ""] = (await post("enrol", body)).headers.getSetCookie();
  return cookie.split(";")[0]?.split("=").slice(1).join("=") ?? "";
}

/** Replaces all cookies of the browser with this one. */
async function setCookie(url, name, value, port) {
  const browser = await puppeteer.connect({ browserURL: `http://127.0.0.1:${port}` });
  const [page = await browser.newPage()] = await browser.pages();
  await page.deleteCookie(...(await page.cookies(url)));
  await page.setCookie({ name, value, url, path: "/", secure: true, sameSite: "Strict" });
  await browser.disconnect();
}

function median(numbers) {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];
}

/** IDs of the audits in a category that cost points. */
function lost(result, category) {
  return result.categories[category].auditRefs
    .filter(({ id, weight }) => weight > 0 && (result.audits[id].score ?? 1) < 1)
    .map(({ id }) => id);
}

async function visitOnce(address, port) {
  const options = { port, onlyCategories: CATEGORIES, logLevel: "error" };
  const config = IS_DESKTOP ? desktopConfig : undefined;
  for (let tried = 1; ; tried += 1) {
    const { lhr } = (await lighthouse(address, options, config)) ?? {};
    if (lhr && !lhr.runtimeError) return lhr;
    if (tried === TRIES_MAX) throw new Error(`${address}: ${lhr?.runtimeError?.message}`);
  }
}

/** Runs a route several times; returns the medians and the audits that cost points. */
async function visit(address, port, runs) {
  const results = [];
  for (let run = 0; run < runs; run += 1) {
    results.push(await visitOnce(address, port));
  }
  const scores = CATEGORIES.map((category) =>
    median(results.map((result) => Math.round(result.categories[category].score * 100))),
  );
  const shift = median(
    results.map(({ audits }) => audits["cumulative-layout-shift"].numericValue ?? 0),
  );
  const faults = CATEGORIES.slice(1).flatMap((category) =>
    results.flatMap((result) => lost(result, category)),
  );
  return { scores, shift, faults: [...new Set(faults)] };
}

const program = await serve();
const chrome = await launch({
  chromePath: CHROMIUM,
  chromeFlags: ["--headless=new", ...(process.getuid?.() === 0 ? ["--no-sandbox"] : [])],
});
const lines = [];
let failed = false;

function say(line) {
  lines.push(line);
  console.log(line);
}

async function judge(route, name, { runs = RUNS, performanceMin = PERFORMANCE_MIN } = {}) {
  const { scores, shift, faults } = await visit(program.url + route, chrome.port, runs);
  const [performance, accessibility, practices] = scores;
  const isSlow = performance < performanceMin;
  const isGood = faults.length === 0 && accessibility === 100 && practices === 100;
  failed ||= !isGood || isSlow || shift > SHIFT_MAX;
  const figures = [...scores.map(String), shift.toFixed(3)].map((one) => one.padStart(13));
  const verdict = [...faults, ...(isSlow ? ["slow"] : []), ...(shift > SHIFT_MAX ? ["jumps"] : [])];
  say(`${name.padEnd(44)}${figures.join("  ")}  ${verdict.join(" ") || "ok"}`);
}

try {
  const load = () => `load average ${loadavg()[0].toFixed(1)}`;
  const day = new Date().toISOString().slice(0, 10);
  say(
    `${day}, ${IS_DESKTOP ? "desktop" : "phone"}, median of ${RUNS}, organizers' pages once, ${load()} before\n`,
  );
  const titles = [...CATEGORIES, "shift"].map((one) => one.padStart(13));
  say(`${"route".padEnd(44)}${titles.join("  ")}`);
  for (const route of ROUTES) await judge(route, route);
  await setCookie(program.url, "apitoken", program.token, chrome.port);
  for (const route of TEAM_ROUTES) await judge(route, `${route} as a team`);
  const session = await enrol(program.url, program.data);
  await setCookie(program.url, "__Host-organizer", session, chrome.port);
  for (const route of ORGANIZERS_ROUTES) await judge(route, route, { runs: 1, performanceMin: 0 });
  say(`${load()} after, on ${availableParallelism()} processors`);
} finally {
  chrome.kill();
  await program.stop();
}
if (process.argv.includes("--write")) {
  const page = await readFile(PAGE, "utf8");
  const table = `\`\`\`text\n${lines.map((line) => line.trimEnd()).join("\n")}\n\`\`\``;
  await writeFile(
    PAGE,
    page.replace(SECTION, () => table),
  );
}
process.exit(failed ? 1 : 0);
