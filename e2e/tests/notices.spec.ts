// The notification bar, and what the site says when a call or a script does not come through.

import type { Page, Route } from "@playwright/test";
import { tokenColour } from "../support/colour.ts";
import { signUpForm, solveCaptcha } from "../support/player.ts";
import { expect, newTeam, test } from "../support/test.ts";

function dismiss(page: Page) {
  return page.getByRole("button", { name: "Dismiss" });
}

/** The bar's message, where screen readers hear of errors at once. */
function alert(page: Page, message: string) {
  return page.getByRole("alert").filter({ hasText: message });
}

async function askForReset(page: Page): Promise<void> {
  await page.goto("/reset");
  await page.getByRole("textbox", { name: "E-mail" }).fill("nobody@example.org");
  await page.getByRole("button", { name: /reset link/i }).click();
}

test("a success is shown, is no alert, and can be dismissed", async ({ page }) => {
  await askForReset(page);
  const bar = page.getByRole("status").filter({ has: dismiss(page) });
  await expect(bar).toBeVisible();
  await expect(page.getByRole("alert").filter({ has: dismiss(page) })).toHaveCount(0);
  await dismiss(page).click();
  await expect(dismiss(page)).toHaveCount(0);
});

test("each kind has its colour: danger, success, info", async ({ page, complaints }) => {
  complaints.allow(/status of 400/);
  const bar = () => dismiss(page).locator("..");
  await askForReset(page);
  await expect(bar()).toHaveCSS("border-bottom-color", await tokenColour(page, "--success"));
  const message = "No.";
  await page.route("**/api/forgot", (route) => route.fulfill({ status: 400, json: { message } }));
  await askForReset(page);
  await expect(bar()).toHaveCSS("border-bottom-color", await tokenColour(page, "--danger"));
  await page.route("**/api/signup", (route) => route.fulfill({ status: 201, json: { message } }));
  await page.goto("/signup");
  await signUpForm(page, { name: "Kinds", email: "k@example.org", password: "long enough" }, "FR");
  await solveCaptcha(page);
  await page.getByRole("button", { name: "Signup" }).click();
  await expect(bar()).toHaveCSS("border-bottom-color", await tokenColour(page, "--info"));
});

test("an error is an alert with the server's message, gone with the route", async ({
  page,
  complaints,
}) => {
  complaints.allow(/status of 400/);
  const message = "This address is not one of ours.";
  await page.route("**/api/forgot", (route) => route.fulfill({ status: 400, json: { message } }));
  await askForReset(page);
  await expect(alert(page, message)).toBeVisible();
  await page.getByRole("link", { name: "Rules" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Rules" })).toBeVisible();
  await expect(dismiss(page)).toHaveCount(0);
  await page.goBack();
  await expect(dismiss(page)).toHaveCount(0);
});

for (const { what, respond, message, seen } of [
  {
    what: "no connection",
    respond: (route: Route) => route.abort(),
    message: "error, API connection failed",
    seen: /ERR_FAILED/,
  },
  {
    what: "an answer that is not JSON",
    respond: (route: Route) => route.fulfill({ status: 502, body: "<h1>Bad Gateway</h1>" }),
    message: "error in parsing response",
    seen: /status of 502/,
  },
  {
    what: "a good status with a body that is not JSON",
    respond: (route: Route) => route.fulfill({ status: 200, body: "{" }),
    message: "error in parsing response",
    seen: /nothing/,
  },
]) {
  test(`${what}: ${message}`, async ({ page, complaints }) => {
    complaints.allow(seen);
    await page.route("**/api/forgot", respond);
    await askForReset(page);
    await expect(alert(page, message)).toBeVisible();
    await page.unroute("**/api/forgot");
    await page.getByRole("button", { name: /reset link/i }).click();
    await expect(page.getByRole("status").filter({ has: dismiss(page) })).toBeVisible();
    await expect(alert(page, message)).toHaveCount(0);
  });
}

test("no connection to the event info is said too, and the site still stands", async ({
  page,
  complaints,
}) => {
  complaints.allow(/ERR_FAILED/);
  await page.route("**/api/ctf", (route) => route.abort());
  await page.goto("/");
  await expect(alert(page, "error, API connection failed")).toBeVisible();
  await expect(page).toHaveTitle("Flagship CTF");
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
});

test("a script that does not load says so by its name, and a retry loads it", async ({
  page,
  complaints,
}) => {
  complaints.allow(/ERR_FAILED|Loading chunk|dynamically imported module/);
  const scripts: string[] = [];
  await page.goto("/");
  await expect(page.getByRole("link", { name: "Press play to compete." })).toBeVisible();
  await page.route("**/static/js/**", (route) => {
    scripts.push(route.request().url());
    return route.abort();
  });
  await page.getByRole("link", { name: "Rules" }).click();
  await expect(page.getByRole("heading", { name: /^Loading chunk \w+ failed$/ })).toBeVisible();
  expect(scripts.length).toBeGreaterThan(0);
  await page.unroute("**/static/js/**");
  await page.getByRole("button", { name: "Retry" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Rules" })).toBeVisible();
});

test("a part whose script does not load says so, and the board around it stands", async ({
  page,
  program,
  complaints,
}) => {
  complaints.allow(/ERR_FAILED|Loading chunk|dynamically imported module/);
  const { name } = await newTeam(program);
  await page.goto("/scoreboard");
  const row = page.getByRole("rowheader", { name });
  await expect(row.first()).toBeVisible();
  await page.route("**/static/js/**", (route) => route.abort());
  await page.getByRole("button", { name: "Score graph" }).click();
  const failed = page.getByRole("alert").filter({ hasText: "Loading chunk score-graph failed" });
  await expect(failed).toBeVisible();
  await expect(row.first()).toBeVisible();
  await page.unroute("**/static/js/**");
  await failed.getByRole("button", { name: "Retry" }).click();
  await expect(page.getByRole("region", { name: "The top ten over time" })).toBeVisible();
});

test("a script that neither comes nor fails is given up after 120 seconds", async ({
  page,
  complaints,
}) => {
  complaints.allow(/Loading chunk/);
  await page.clock.install();
  await page.goto("/");
  await expect(page.getByRole("link", { name: "Press play to compete." })).toBeVisible();
  await page.route("**/static/js/**", () => undefined);
  await page.getByRole("link", { name: "Rules" }).click();
  const failed = page.getByRole("heading", { name: /^Loading chunk \w+ failed$/ });
  await page.clock.runFor(110_000);
  await expect(failed).toHaveCount(0);
  await page.clock.runFor(11_000);
  await expect(failed).toBeVisible();
});

test("scripts come from /static/js, each page's on demand", async ({ page }) => {
  const scripts: string[] = [];
  page.on("request", (request) => {
    if (request.resourceType() === "script") {
      scripts.push(new URL(request.url()).pathname);
    }
  });
  await page.goto("/");
  await expect(page.getByRole("link", { name: "Press play to compete." })).toBeVisible();
  const atFirst = scripts.length;
  await page.getByRole("link", { name: "Signup" }).click();
  await expect(page.getByRole("button", { name: "Signup" })).toBeVisible();
  expect(scripts.length).toBeGreaterThan(atFirst);
  expect(scripts.filter((path) => !path.startsWith("/static/js/"))).toEqual([]);
});
