// The pictures in docs/screenshots: every screen of the example event, wide and narrow, dark and
// light, and states of them. `cargo xtask screenshots` makes them anew; it judges nothing.

import { join } from "node:path";
import { expect, type Page, test } from "@playwright/test";
import { Program } from "../support/program.ts";
import { EVENT, enter, OURS, open, openChallenges, PICTURES, play, WIDE } from "./event.ts";

const SIZES = [WIDE, { width: 390, height: 844 }] as const;
const THEMES = ["dark", "light"] as const;
type Size = (typeof SIZES)[number];
type Theme = (typeof THEMES)[number];
/** What moves when a page opens has come to rest. */
const SETTLE_MS = 600;

const TOO_FAST = {
  code: "flag_too_fast",
  message: "Too many wrong flags; take a breath and try again.",
};

async function picture(page: Page, name: string, size: Size, colorScheme: Theme): Promise<void> {
  await page.setViewportSize(size);
  await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
  for (const form of await page.locator("form[data-wrong=true]").all()) {
    await form.scrollIntoViewIfNeeded();
  }
  await page.waitForTimeout(SETTLE_MS);
  await page.screenshot({ path: join(PICTURES, `${name}-${size.width}-${colorScheme}.png`) });
}

/** A screen, both ways in both themes. */
async function pictures(page: Page, name: string): Promise<void> {
  await page.evaluate(() => window.scrollTo(0, 0));
  for (const size of SIZES) {
    for (const theme of THEMES) await picture(page, name, size, theme);
  }
}

/** A state of a screen: wide and dark, narrow and light. */
async function states(page: Page, name: string): Promise<void> {
  const [wide, narrow] = SIZES;
  await picture(page, name, narrow, "light");
  await picture(page, name, wide, "dark");
}

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
  await page.getByRole("textbox", { name: "E-mail" }).fill("ab@example.org");
  await page.getByLabel("Password", { exact: true }).fill("long enough");
  await page.getByRole("button", { name: "Signup" }).click();
  await expect(page.getByRole("alert")).toContainText("Invalid captcha");
  await states(page, "signup-refused");
  await program.stop();
});

test("while it runs", async ({ page }) => {
  // The graphs begin with the event: it has just begun.
  const when = { start: -3, freeze: 3 * 3600, end: 4 * 3600 };
  const program = await Program.start({ event: EVENT, when });
  const { ours, last } = await play(program, 100);
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
    const known = name === "home" ? main.getByRole("link") : main.getByText(OURS);
    await expect(known.first()).toBeVisible();
    await pictures(page, name);
  }
  await open(page, program, "/scoreboard?graph=true");
  await expect(page.locator("canvas")).toBeVisible();
  await states(page, "graph");
  await open(page, program, `/scoreboard?solvers=${second?.id}`);
  await expect(page.getByRole("dialog").getByRole("listitem").first()).toBeVisible();
  await states(page, "solvers");
  await enter(page, program, last);
  await open(page, program, `/challenge?open=${second?.id}`);
  await expect(page.getByPlaceholder("flag")).toBeVisible();
  await page.getByPlaceholder("flag").fill("pier{not_this}");
  await page.route("**/api/solve", (route) =>
    route.fulfill({ status: 429, headers: { "Retry-After": "9" }, json: TOO_FAST }),
  );
  await page.getByRole("button", { name: "Submit" }).click();
  await states(page, "challenge-too-fast");
  await program.stop();
});

test("news, and what is not there", async ({ page }) => {
  const program = await Program.start({ event: EVENT, when: "running" });
  const { last } = await play(program);
  const unsolved = openChallenges().at(-1);
  await page.addInitScript(() => {
    // The seven seconds of the news are made long, so that there is time for pictures.
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
  await expect(page.getByRole("status", { name: "Loading the scoreboard" })).toBeVisible();
  await states(page, "loading");
  await program.stop();
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
