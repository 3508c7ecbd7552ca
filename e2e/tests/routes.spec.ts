// Every route in every state: axe reports nothing, and nothing scrolls sideways.

import type { Page } from "@playwright/test";
import { expectSound } from "../support/page-checks.ts";
import { card, expectLive, signUpForm, solveCaptcha, submitFlag } from "../support/player.ts";
import type { Phase } from "../support/program.ts";
import { enter, expect, newTeam, test } from "../support/test.ts";

test.describe.configure({ mode: "parallel" });

function heading(page: Page, name?: string | RegExp) {
  return page.getByRole("heading", { level: 1, ...(name && { name }) });
}

for (const phase of ["not started", "frozen", "ended"] satisfies Phase[]) {
  test(`home, scoreboard and challenges, ${phase}`, async ({ page, serve }) => {
    test.slow();
    const program = await serve({ when: phase });
    await enter(page, program, await newTeam(program, "Night Watch"));
    for (const path of ["/", "/scoreboard", "/challenge"]) {
      await page.goto(program.url + path);
      await expect(page.getByRole("link", { name: "Logout" })).toBeVisible();
      await expectSound(page, `${path.slice(1) || "home"}-${phase.replace(" ", "-")}`);
    }
  });
}

test("home while it runs, without event info, and an unknown URL", async ({ page }) => {
  await page.goto("/");
  await expect(page.getByRole("link", { name: "Press play to compete." })).toBeVisible();
  await expectSound(page, "home-running");
  await page.goto("/no/such/page");
  await expect(heading(page)).toBeVisible();
  await expectSound(page, "unknown");
  await page.route("**/api/ctf", () => undefined);
  await page.goto("/");
  await expect(heading(page)).toBeVisible();
  await expectSound(page, "home-no-info");
});

test("scoreboard while it loads, filled, offline", async ({ page, program, team, complaints }) => {
  complaints.allow(/WebSocket/);
  await program.solve(team.token, "welcome", "flag{w3lc0me_ab0ard}");
  await program.solve(team.token, "oars", "flag{r0w}");
  await page.goto("/scoreboard");
  // The graph's table names the team too.
  const table = page.getByRole("table", { name: "Scoreboard", exact: true });
  await expect(table.getByRole("row").filter({ hasText: team.name })).toBeVisible();
  await expectLive(page);
  await expectSound(page, "scoreboard");

  await page.routeWebSocket("**/api/live", (socket) => socket.close());
  await page.reload();
  await expect(page.getByRole("main")).toContainText(/Connecting|Offline/);
  await expectSound(page, "scoreboard-offline");
  await page.route("**/api/scoreboard", () => undefined);
  await page.reload();
  await expect(page.getByRole("status", { name: "Loading scoreboard…" })).toBeVisible();
  await expectSound(page, "scoreboard-loading");
});

test("a team's page, the projector's view, a search", async ({ page, program, team }) => {
  test.slow();
  await program.solve(team.token, "oars", "flag{r0w}");
  await page.goto(`/team/${team.name}`);
  await expect(page.getByRole("main").getByText("First at the oars").first()).toBeVisible();
  await expectSound(page, "team");
  await page.goto("/team/Nobody%20of%20this%20name");
  await expect(heading(page)).toBeVisible();
  await expectSound(page, "team-unknown");
  await page.goto("/scoreboard?view=stage");
  await expect(page.getByText(team.name).first()).toBeVisible();
  await expectSound(page, "stage");
  await page.goto("/scoreboard");
  await page.getByRole("searchbox").fill(team.name);
  await expect(page.getByText(team.name).first()).toBeVisible();
  await expectSound(page, "scoreboard-search");
});

test("overlays: solvers, the graph, the countries, news", async ({ page, serve }) => {
  test.slow();
  const program = await serve({});
  const team = await newTeam(program, "Lookouts");
  for (const name of ["Able", "Bosun", "Cook"]) {
    await program.solve((await newTeam(program, name)).token, "welcome", "flag{w3lc0me_ab0ard}");
  }
  await page.goto(`${program.url}/scoreboard?graph=true`);
  await expect(page.locator("canvas")).toBeVisible();
  await expectSound(page, "graph");
  await page.goto(`${program.url}/scoreboard?solvers=welcome`);
  await expect(page.getByRole("dialog").getByRole("listitem")).toHaveCount(3);
  await expectSound(page, "solvers");
  await page.goto(`${program.url}/signup`);
  await page.getByRole("combobox", { name: "Country" }).click();
  await expect(page.getByRole("option", { name: "Italy" })).toBeVisible();
  await expectSound(page, "countries");
  // The news popup is shown for longer than its seven seconds, so that there is time to check it.
  await page.addInitScript(() => {
    const wait = window.setTimeout;
    const slow = (run: () => void, ms: number) => wait(run, ms === 7000 ? 600_000 : ms);
    Reflect.set(window, "setTimeout", slow);
  });
  for (const [view, challenge, flag] of [
    ["?view=stage", "oars", "flag{r0w}"],
    ["", "tide", "flag{t1de}"],
  ] as const) {
    await page.goto(`${program.url}/scoreboard${view}`);
    await expect(page.getByRole("rowheader", { name: team.name })).toBeVisible();
    await expect(page.locator("[data-large]")).toBeAttached();
    await program.solve(team.token, challenge, flag);
    await expect(page.getByRole("status").filter({ hasText: "First blood" })).toBeVisible();
    await expectSound(page, `first-blood${view === "" ? "" : "-stage"}`);
  }
});

test("challenges closed, open, wrong, solved, hidden", async ({ page, team }) => {
  test.slow();
  await page.goto("/challenge");
  await expect(page.getByRole("article")).toHaveCount(4);
  await expect(page.getByRole("row").filter({ hasText: team.name })).toBeVisible();
  await expectSound(page, "challenges");
  for (const name of ["Below the hold", "First at the oars", "Welcome aboard"]) {
    await card(page, name).getByRole("button", { name }).click();
  }
  await submitFlag(card(page, "Welcome aboard"), "flag{w3lc0me_ab0ard}");
  await expect(card(page, "Welcome aboard").getByPlaceholder("flag")).toHaveCount(0);
  await expectSound(page, "challenges-solved");
  await card(page, "Rising tide").getByRole("button", { name: "Rising tide" }).click();
  await card(page, "Rising tide").getByRole("button", { name: "Submit" }).click();
  await expect(page.getByRole("alert")).toContainText("flag missing");
  await expectSound(page, "challenges-open");

  // The state of an incorrect flag lasts longer than its second, so that there is time to check it.
  await page.addInitScript(() => {
    const wait = window.setTimeout;
    const slow = (run: () => void, ms: number) => wait(run, ms === 1000 ? 600_000 : ms);
    Reflect.set(window, "setTimeout", slow);
  });
  await page.reload();
  await submitFlag(card(page, "Rising tide"), "flag{ebb}");
  const flag = card(page, "Rising tide").getByPlaceholder("flag");
  await expect(flag).toHaveAttribute("aria-invalid", "true");
  await expectSound(page, "challenges-wrong");
});

test("challenges while they load, all hidden, failed", async ({ page, team, complaints }) => {
  await page.goto("/challenge");
  await expect(page.getByRole("row").filter({ hasText: team.name })).toBeVisible();
  for (const name of ["Misc", "Crypto", "Web"]) {
    await page.getByRole("button", { name, exact: true }).click();
  }
  await expect(page.getByRole("article")).toHaveCount(0);
  await expectSound(page, "challenges-hidden");
  await page.route("**/api/challenge", () => undefined);
  await page.reload();
  await expect(page.getByRole("status", { name: "Loading challenges…" })).toBeVisible();
  await expectSound(page, "challenges-loading");
  complaints.allow(/status of 403/);
  await page.unroute("**/api/challenge");
  await page.route("**/api/challenge", (route) =>
    route.fulfill({ status: 403, json: { message: "Not today." } }),
  );
  await page.reload();
  await expect(page.getByRole("alert").filter({ hasText: "Not today." })).toBeVisible();
  await expectSound(page, "challenges-failed");
  await page.unroute("**/api/challenge");
  await page.getByRole("button", { name: "Retry" }).click();
  await expect(page.getByText("All categories are hidden.")).toBeVisible();
});

test("rules, loaded and failed; a page whose script failed", async ({ page, complaints }) => {
  await page.goto("/rules");
  await expect(page.getByRole("listitem").first()).toBeVisible();
  await expectSound(page, "rules");
  complaints.allow(/status of 404|ERR_FAILED|Loading chunk|dynamically imported module/);
  await page.route("**/api/rules", (route) =>
    route.fulfill({ status: 404, json: { message: "There are no rules." } }),
  );
  await page.reload();
  await expect(page.getByRole("alert").filter({ hasText: "no rules" })).toBeVisible();
  await expectSound(page, "rules-failed");
  await page.goto("/");
  await expect(page.getByRole("link", { name: "Press play to compete." })).toBeVisible();
  await page.route("**/static/js/**", (route) => route.abort());
  await page.getByRole("link", { name: "Login" }).click();
  await expect(heading(page, /^Loading chunk/)).toBeVisible();
  await expectSound(page, "chunk-failed");
});

test("login, and its errors", async ({ page, complaints }) => {
  test.slow();
  await page.goto("/login");
  await expect(page.locator("altcha-widget").getByRole("checkbox")).toBeVisible();
  await expectSound(page, "login");
  await page.getByRole("textbox", { name: "Team", exact: true }).fill("Nobody Here");
  await page.getByLabel("Password", { exact: true }).fill("not the password");
  await page.getByRole("button", { name: "Login" }).click();
  await expect(page.getByRole("alert")).toContainText("Invalid captcha");
  await expectSound(page, "login-captcha");
  complaints.allow(/status of 403/);
  await page.route("**/api/login", (route) =>
    route.fulfill({
      status: 403,
      json: { code: "email_unconfirmed", message: "Confirm your email first." },
    }),
  );
  await solveCaptcha(page);
  await page.getByRole("button", { name: "Login" }).click();
  await expect(page.getByRole("link", { name: /confirmation email/i })).toBeVisible();
  await expectSound(page, "login-unconfirmed");
});

test("signup, its errors and its success", async ({ page }) => {
  test.slow();
  await page.goto("/signup");
  await expect(page.locator("altcha-widget").getByRole("checkbox")).toBeVisible();
  await expectSound(page, "signup");
  const account = { name: "ab", email: "ab@example.org", password: "short" };
  await signUpForm(page, account, "FR");
  await solveCaptcha(page);
  await page.getByRole("button", { name: "Signup" }).click();
  const name = page.getByRole("textbox", { name: "Team name" });
  await expect(name).toHaveAttribute("aria-invalid", "true");
  await expectSound(page, "signup-faults");
  await page.route("**/api/signup", (route) =>
    route.fulfill({ status: 201, json: { message: "x" } }),
  );
  await signUpForm(page, { ...account, name: "Abecedarians", password: "long enough" }, "FR");
  await page.getByRole("button", { name: "Signup" }).click();
  await expect(page.getByText("Team created, check your email")).toBeVisible();
  await expectSound(page, "signup-success");
});

test("the pages of emailed links, with and without a token", async ({ page }) => {
  const both = ["/confirm", "/confirm#token", "/reset", "/reset#token", "/join", "/join#token"];
  for (const path of [...both, "/address#token", "/stop#token"]) {
    await page.goto("/rules");
    await page.goto(path);
    await expect(heading(page)).toBeVisible();
    await expect(page.getByRole("main").getByRole("button")).toBeVisible();
    await expectSound(page, path.slice(1).replace("#", "-"));
  }
});
