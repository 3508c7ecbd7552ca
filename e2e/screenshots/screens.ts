// Screenshots in docs/screenshots: every screen of the example event, wide and narrow, dark and
// light, in several states. `cargo xtask screenshots` regenerates them without comparing.

import { expect, test } from "@playwright/test";
import { expectLive } from "../support/player.ts";
import { Program } from "../support/program.ts";
import { EVENT, enter, OURS, open, openChallenges, play, WIDE } from "./event.ts";
import { NARROW, pictures, states, WALL } from "./pictures.ts";

const EVERY_SIZE = [WIDE, NARROW, WALL];
const TOO_FAST = {
  code: "flag_too_fast",
  message: "Too many incorrect flags. Wait a moment and try again.",
};

test("before the start and after the end", async ({ page }) => {
  const before = await Program.start({ event: EVENT, when: "not started" });
  await open(page, before, "/");
  await expect(page.getByRole("timer")).toBeVisible();
  await pictures(page, "home-before");
  await before.stop();
  const ended = await Program.start({ event: EVENT, when: "ended" });
  await open(page, ended, "/");
  await expect(page.getByText("The CTF has ended.")).toBeVisible();
  await states(page, "home-ended");
  await ended.stop();
});

test("for visitors", async ({ page }) => {
  const program = await Program.start({ event: EVENT, when: "running" });
  for (const path of ["login", "signup", "rules"]) {
    await open(page, program, `/${path}`);
    await pictures(page, path);
  }
  await open(page, program, "/reset");
  await states(page, "reset");
  await open(page, program, "/confirm#token");
  await states(page, "confirm");
  await open(page, program, "/no/such/page");
  await states(page, "unknown");
  await open(page, program, "/signup");
  await page.getByRole("textbox", { name: "Team name" }).fill("ab");
  await page.getByRole("textbox", { name: "Email" }).fill("ab@example.org");
  await page.getByLabel("Password", { exact: true }).fill("long enough");
  await page.getByRole("button", { name: "Signup" }).click();
  await expect(page.getByRole("alert")).toContainText("Invalid captcha");
  await states(page, "signup-refused");
  await program.stop();
});

test("while it runs", async ({ page }) => {
  // Graphs start with the event, which has just started.
  const when = { start: -3, freeze: 3 * 3600, end: 4 * 3600 };
  const program = await Program.start({ event: EVENT, when });
  const { ours, last } = await play(program, { paceMs: 100 });
  await enter(page, program, ours);
  const [, second] = openChallenges();
  const screens = {
    home: "/",
    scoreboard: "/scoreboard",
    challenges: `/challenge?open=${second?.id}`,
    team: `/team/${encodeURIComponent(OURS)}`,
    stage: "/scoreboard?view=stage",
  };
  for (const [name, path] of Object.entries(screens)) {
    await open(page, program, path);
    const main = page.getByRole("main");
    const known = name === "home" ? main.getByText(/of \d+ teams/) : main.getByText(OURS);
    await expect(known.first()).toBeVisible();
    if (name !== "home") await expectLive(page);
    await pictures(page, name, name === "team" ? [WIDE, NARROW] : EVERY_SIZE);
  }
  await open(page, program, "/account");
  await expect(page.getByText(/^\d+ of \d+ solved$/).first()).toBeVisible();
  await states(page, "account");
  await open(page, program, "/scoreboard?graph=true");
  await expect(page.locator("canvas")).toBeVisible();
  await expectLive(page);
  await states(page, "graph");
  await open(page, program, `/scoreboard?solvers=${second?.id}`);
  await expect(page.getByRole("dialog").getByRole("listitem").first()).toBeVisible();
  await states(page, "solvers");
  await enter(page, program, last);
  await open(page, program, `/challenge?open=${second?.id}`);
  await expect(page.getByPlaceholder("flag")).toBeVisible();
  await expectLive(page);
  await page.getByPlaceholder("flag").fill("pier{not_this}");
  await page.route("**/api/solve", (route) =>
    route.fulfill({ status: 429, headers: { "Retry-After": "9" }, json: TOO_FAST }),
  );
  await page.getByRole("button", { name: "Submit" }).click();
  await states(page, "challenge-too-fast");
  await program.stop();
});

test("news, and missing pages", async ({ page }) => {
  const program = await Program.start({ event: EVENT, when: "running" });
  const { last } = await play(program);
  const unsolved = openChallenges().at(-1);
  await page.addInitScript(() => {
    // The news popup is shown for longer than its seven seconds, so that there is time for
    // screenshots.
    const wait = window.setTimeout;
    const slow = (run: () => void, ms: number) => wait(run, ms === 7000 ? 600_000 : ms);
    Reflect.set(window, "setTimeout", slow);
  });
  await open(page, program, "/scoreboard?view=stage");
  await expect(page.getByText(OURS).first()).toBeVisible();
  await expect(page.locator("[data-large]")).toBeAttached();
  await program.solve(last, unsolved?.id ?? "", unsolved?.flag ?? "");
  await expect(page.getByText("First blood")).toBeVisible();
  await states(page, "first-blood");
  await page.routeWebSocket("**/api/live", () => undefined);
  await page.goto(`${program.url}/scoreboard`);
  await expect(page.getByRole("status", { name: "Loading scoreboard…" })).toBeVisible();
  await states(page, "loading");
  await program.stop();
});

test("in Arabic, from right to left", async ({ page }) => {
  const when = { start: -3, freeze: 3 * 3600, end: 4 * 3600 };
  const program = await Program.start({ event: EVENT, when });
  const { ours } = await play(program, { paceMs: 20 });
  const [, second] = openChallenges();
  await page.addInitScript(() => localStorage.setItem("language", "ar"));
  await enter(page, program, ours);
  for (const [name, path] of [
    ["arabic-home", "/"],
    ["arabic-challenges", `/challenge?open=${second?.id}`],
    ["arabic-scoreboard", "/scoreboard"],
  ] as const) {
    await open(page, program, path);
    const main = page.getByRole("main");
    const known = path === "/" ? main.getByRole("link") : main.getByText(OURS);
    await expect(known.first()).toBeVisible();
    await states(page, name);
  }
  await program.stop();
});

test("two branded events", async ({ browser }) => {
  for (const [brand, challenge] of [
    ["harbour", "the-torn-chart"],
    ["orchid", "count-the-petals"],
  ] as const) {
    const program = await Program.start({ event: `e2e/brands/${brand}` });
    const tokens = await program.importTeams([
      { name: OURS, country: "GR", email: "cats@example.org", password: "" },
    ]);
    const page = await browser.newPage({ timezoneId: "Europe/Rome" });
    await open(page, program, "/");
    await pictures(page, `${brand}-home`);
    await enter(page, program, tokens.get(OURS) ?? "");
    await open(page, program, `/challenge?open=${challenge}`);
    await expectLive(page);
    await pictures(page, `${brand}-challenges`);
    await page.close();
    await program.stop();
  }
});

test("frozen", async ({ page }) => {
  const program = await Program.start({ event: EVENT, when: { start: -9, freeze: 6, end: 3600 } });
  const { ours } = await play(program);
  await enter(page, program, ours);
  await open(page, program, "/scoreboard");
  await expect(page.getByText("Scoreboard frozen")).toBeVisible({ timeout: 20_000 });
  await states(page, "frozen");
  await program.stop();
});
