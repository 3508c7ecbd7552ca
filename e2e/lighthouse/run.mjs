// Lighthouse over every route of the site as the real program serves it: 100 for accessibility and
// best practices or it fails; performance as the median of five, printed. `npm run lighthouse` in
// e2e, after a build. In a folder of its own because Lighthouse is larger than all else together.

import { execFileSync, spawn } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { availableParallelism, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { launch } from "chrome-launcher";
import lighthouse from "lighthouse";
import puppeteer from "puppeteer-core";

const ROOT = join(import.meta.dirname, "../..");
const BINARY = process.env.FLAGSHIP_BINARY ?? join(ROOT, "target/release/flagship");
const CHROMIUM = process.env.CHROMIUM ?? "/usr/bin/chromium";
const RUNS = Number(process.env.LIGHTHOUSE_RUNS ?? 5);
const TEAM = "Lighthouse Keepers";
/** The last ones are a team's: those before are seen by nobody in particular. */
const ROUTES = [
  "/",
  "/scoreboard",
  "/scoreboard?graph=true",
  "/scoreboard?view=stage",
  `/team/${encodeURIComponent(TEAM)}`,
  "/rules",
  "/login",
  "/signup",
  "/confirm",
  "/reset",
];
const TEAM_ROUTES = ["/challenge", "/scoreboard"];
const CATEGORIES = ["performance", "accessibility", "best-practices"];
/** A busy machine loses a trace now and then. */
const TRIES_MAX = 3;
const READY = /^Flagship is ready on (http:\/\/\S+)$/m;
const READY_MS_MAX = 60_000;

/** Starts the example event; the answer is where it is and how to end it. */
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
  return { url, token: await importTeam(data), stop };
}

/** A confirmed team, imported as an organizer does it; the answer is its token. */
async function importTeam(data) {
  const [teams, tokens] = ["teams.csv", "tokens.csv"].map((name) => join(data, name));
  const head = "name,email,country,student,password";
  await writeFile(teams, `${head}\n${TEAM},keepers@example.org,IT,false,\n`);
  execFileSync(BINARY, ["team", "import", teams, "--tokens", tokens, "--data", data]);
  const [, row = ""] = (await readFile(tokens, "utf8")).split("\n");
  return row.trim().split(",").at(-1);
}

/** From now on the browser is the team's. */
async function logIn(url, token, port) {
  const browser = await puppeteer.connect({ browserURL: `http://127.0.0.1:${port}` });
  const cookie = { name: "apitoken", value: token, url, secure: true, sameSite: "Strict" };
  const [page = await browser.newPage()] = await browser.pages();
  await page.setCookie(cookie);
  await browser.disconnect();
}

function median(numbers) {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];
}

/** The ids of the audits of a category that cost points. */
function lost(result, category) {
  return result.categories[category].auditRefs
    .filter(({ id, weight }) => weight > 0 && (result.audits[id].score ?? 1) < 1)
    .map(({ id }) => id);
}

async function visitOnce(address, port) {
  const options = { port, onlyCategories: CATEGORIES, logLevel: "error" };
  for (let tried = 1; ; tried += 1) {
    const { lhr } = (await lighthouse(address, options)) ?? {};
    if (lhr && !lhr.runtimeError) return lhr;
    if (tried === TRIES_MAX) throw new Error(`${address}: ${lhr?.runtimeError?.message}`);
  }
}

/** One route, `RUNS` times: the median of each category, and what cost points. */
async function visit(address, port) {
  const results = [];
  for (let run = 0; run < RUNS; run += 1) {
    results.push(await visitOnce(address, port));
  }
  const scores = CATEGORIES.map((category) =>
    median(results.map((result) => Math.round(result.categories[category].score * 100))),
  );
  const faults = CATEGORIES.slice(1).flatMap((category) =>
    results.flatMap((result) => lost(result, category)),
  );
  return { scores, faults: [...new Set(faults)] };
}

const program = await serve();
const chrome = await launch({
  chromePath: CHROMIUM,
  chromeFlags: ["--headless=new", ...(process.getuid?.() === 0 ? ["--no-sandbox"] : [])],
});
let failed = false;

async function judge(route, name) {
  const { scores, faults } = await visit(program.url + route, chrome.port);
  const [performance, accessibility, practices] = scores;
  failed ||= faults.length > 0 || accessibility !== 100 || practices !== 100;
  const figures = [performance, accessibility, practices].map((one) => String(one).padStart(11));
  console.log(`${name.padEnd(34)}${figures.join("  ")}  ${faults.join(" ")}`);
}

try {
  console.log(`${"route".padEnd(34)}${CATEGORIES.join("  ")}  (median of ${RUNS})`);
  for (const route of ROUTES) await judge(route, route);
  await logIn(program.url, program.token, chrome.port);
  for (const route of TEAM_ROUTES) await judge(route, `${route} as a team`);
  const load = loadavg()[0].toFixed(1);
  console.log(`load average ${load} on ${availableParallelism()} processors`);
} finally {
  chrome.kill();
  await program.stop();
}
process.exit(failed ? 1 : 0);
