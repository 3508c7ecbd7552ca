// Toasts, urgent notices, and messages for failed requests and scripts.

import type { Page, Route } from "@playwright/test";
import { tokenColor } from "../support/color.ts";
import { cut } from "../support/cut.ts";
import { enrol, invite } from "../support/organizer.ts";
import { expectSound } from "../support/page-checks.ts";
import { signUpForm, solveCaptcha } from "../support/player.ts";
import type { Program } from "../support/program.ts";
import { expectCalm, watchShifts } from "../support/shifts.ts";
import { enter, expect, newTeam, test } from "../support/test.ts";

function dismiss(page: Page) {
  return page.getByRole("button", { name: "Dismiss" });
}

/** The toasts' alert, which screen readers announce at once. */
function alert(page: Page, message: string) {
  return page.getByRole("alert").filter({ hasText: message });
}

/** The edge of a toast, in the color of its kind. */
const edge = "border-inline-start-color";

async function askForReset(page: Page): Promise<void> {
  await page.goto("/reset");
  await page.getByRole("textbox", { name: "Email" }).fill("nobody@example.org");
  await page.getByRole("button", { name: /reset link/i }).click();
}

test("a success is shown, is not an alert, and can be dismissed", async ({ page }) => {
  await askForReset(page);
  const bar = page.getByRole("status").filter({ has: dismiss(page) });
  await expect(bar).toBeVisible();
  await expect(page.getByRole("alert").filter({ has: dismiss(page) })).toHaveCount(0);
  await dismiss(page).click();
  await expect(dismiss(page)).toHaveCount(0);
});

test("each kind has its color: danger, success, info", async ({ page, complaints }) => {
  complaints.allow(/status of 400/);
  const bar = () => dismiss(page).locator("..");
  await askForReset(page);
  await expect(bar()).toHaveCSS(edge, await tokenColor(page, "--success"));
  const message = "No.";
  await page.route("**/api/forgot", (route) => route.fulfill({ status: 400, json: { message } }));
  await askForReset(page);
  await expect(bar()).toHaveCSS(edge, await tokenColor(page, "--danger"));
  await page.route("**/api/signup", (route) => route.fulfill({ status: 201, json: { message } }));
  await page.goto("/signup");
  await signUpForm(page, { name: "Kinds", email: "k@example.org", password: "long enough" }, "FR");
  await solveCaptcha(page);
  await page.getByRole("button", { name: "Signup" }).click();
  await expect(bar()).toHaveCSS(edge, await tokenColor(page, "--info"));
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

test("a failed event info request is reported too, and the site still works", async ({
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

test("a script that fails to load is reported by name, and a retry loads it", async ({
  page,
  complaints,
}) => {
  complaints.allow(/ERR_FAILED|Loading chunk|dynamically imported module/);
  await page.goto("/");
  await expect(page.getByRole("link", { name: "Press play to compete." })).toBeVisible();
  const scripts = await cut(page, "**/static/js/**");
  await page.getByRole("link", { name: "Rules" }).click();
  await expect(page.getByRole("heading", { name: /^Loading chunk \w+ failed$/ })).toBeVisible();
  expect(scripts.requests.length).toBeGreaterThan(0);
  scripts.restore();
  await page.getByRole("button", { name: "Retry" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Rules", exact: true })).toBeVisible();
});

test("a part whose script fails to load is reported, and the board still works", async ({
  page,
  program,
  complaints,
}) => {
  complaints.allow(/ERR_FAILED|Loading chunk|dynamically imported module/);
  const { name } = await newTeam(program);
  // With few teams the graph is open from the start.
  for (let others = 0; others < 5; others += 1) await newTeam(program);
  await page.goto("/scoreboard");
  const row = page.getByRole("rowheader", { name });
  await expect(row.first()).toBeVisible();
  const scripts = await cut(page, "**/static/js/**");
  await page.getByRole("button", { name: "Score graph" }).click();
  const failed = page.getByRole("alert").filter({ hasText: "Loading chunk score-graph failed" });
  await expect(failed).toBeVisible();
  await expect(row.first()).toBeVisible();
  scripts.restore();
  await failed.getByRole("button", { name: "Retry" }).click();
  await expect(page.getByRole("region", { name: "Top 10 over time" })).toBeVisible();
});

test("a script that neither loads nor fails times out after 120 seconds", async ({
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

test("a toast covers no control: it is at the other edge if there is one", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await askForReset(page);
  const toast = dismiss(page).locator("..");
  await expect(toast).toBeVisible();
  const isCovered = (name: string | RegExp) =>
    page
      .getByRole("main")
      .getByRole("button", { name })
      .evaluate((button) => {
        const { x, y, width, height } = button.getBoundingClientRect();
        return document.elementFromPoint(x + width / 2, y + height / 2) !== button;
      });
  expect(await isCovered(/reset link/i)).toBe(false);
  const [bar, box] = [page.getByRole("navigation", { name: "Main" }), toast];
  const gapPx = ((await box.boundingBox())?.y ?? 0) - ((await bar.boundingBox())?.height ?? 0);
  expect(gapPx).toBeGreaterThanOrEqual(0);
  await expectSound(page, "toast");
});

test("a server that is busy: an error with Retry instead of a placeholder", async ({
  page,
  complaints,
}) => {
  complaints.allow(/status of 503/);
  await page.goto("/login");
  const busy = { status: 503, json: { code: "busy", message: "The server is busy." } };
  let isBusy = true;
  await page.route("**/api/rules", (route) => (isBusy ? route.fulfill(busy) : route.continue()));
  await page.getByRole("link", { name: "Rules", exact: true }).first().click();
  const failed = page.getByRole("main").getByRole("alert");
  await expect(failed).toContainText(/busy/i);
  await expect(page.getByRole("status", { name: /^Loading/ })).toHaveCount(0);
  isBusy = false;
  await failed.getByRole("button", { name: "Retry" }).click();
  await expect(page.getByRole("main").getByRole("list").first()).toBeVisible();
  await expect(failed).toHaveCount(0);
});

test("the note is not live while requests fail", async ({ page, complaints }) => {
  complaints.allow(/status of 503/);
  await page.clock.install();
  await page.goto("/scoreboard");
  const live = page.getByText("Live", { exact: true });
  await expect(live).toBeVisible();
  await page.route("**/api/ctf", (route) =>
    route.fulfill({ status: 503, json: { message: "No." } }),
  );
  // The event info is requested every five minutes.
  await page.clock.runFor(301_000);
  await expect(live).toHaveCount(0);
  await page.unroute("**/api/ctf");
  await page.clock.runFor(301_000);
  await expect(live).toBeVisible();
});

test("a request without a response: after 8 seconds an error with Retry", async ({ page }) => {
  await page.clock.install();
  let isCut = true;
  await page.route("**/api/rules", (route) => (isCut ? undefined : route.continue()));
  await page.goto("/rules");
  const placeholder = page.getByRole("status", { name: "Loading rules…" });
  await expect(placeholder).toBeVisible();
  await page.clock.runFor(7000);
  await expect(placeholder).toBeVisible();
  await page.clock.runFor(1500);
  const failed = page.getByRole("main").getByRole("alert");
  await expect(failed).toHaveText(/^This is taking longer than usual\./);
  isCut = false;
  await failed.getByRole("button", { name: "Retry" }).click();
  await expect(page.getByRole("main").getByRole("list").first()).toBeVisible();
});

const TITLE = "The doors of the harbour close earlier than planned, at six in the evening";

/** Posts an urgent notice. */
async function postUrgent(program: Program): Promise<void> {
  const text = "Take your things with you. **Nobody** gets in after that.\n\nThe bar stays open.";
  const words = ["--title", TITLE, "--text", text];
  await program.command("action", "notice.post", ...words, "--urgent");
}

/** The toggle of the urgent notice. */
function toggle(page: Page) {
  return page.getByRole("region", { name: "Urgent" }).getByRole("button", { name: TITLE });
}

test("an urgent notice is one line, and the page makes room when it unfolds", async ({
  page,
  serve,
}) => {
  const program = await serve({});
  await postUrgent(program);
  const folded = () => expect(toggle(page)).toHaveAttribute("aria-expanded", "false");
  const unfolded = () => expect(toggle(page)).toHaveAttribute("aria-expanded", "true");
  const banner = page.getByRole("region", { name: "Urgent" });
  const heightPx = async () => (await banner.boundingBox())?.height ?? 0;
  const top = async () => (await page.getByRole("heading", { level: 1 }).boundingBox())?.y ?? 0;
  const bottom = async () => ((await banner.boundingBox())?.y ?? 0) + (await heightPx());
  await page.goto(`${program.url}/rules`);
  await folded();
  await expect(banner.getByText("Take your things with you.")).toBeInViewport();
  expect(await heightPx()).toBeLessThan(48);
  const before = await top();
  expect(await bottom()).toBeLessThanOrEqual(before);
  await toggle(page).click();
  await unfolded();
  await expect(banner.getByText("The bar stays open.")).toBeInViewport();
  expect(await bottom(), "it covers nothing").toBeLessThanOrEqual(await top());
  await toggle(page).click();
  await folded();
  expect(await top(), "the page is back").toBe(before);
  await page.setViewportSize({ width: 390, height: 844 });
  await expectSound(page, "folded-notice");
  await page.setViewportSize({ width: 390, height: 844 });
  // It is folded on a phone and after a reload.
  await page.reload();
  await folded();
  await toggle(page).click();
  await unfolded();
  expect(await heightPx()).toBeGreaterThan(90);
  // At the top of the page it scrolls away. Further down it is over the page until that scrolls.
  await page.evaluate(() => document.body.style.setProperty("min-height", "300vh"));
  await page.mouse.move(200, 600);
  await page.mouse.wheel(0, 300);
  await expect(toggle(page)).not.toBeInViewport();
  await page.keyboard.press("Escape");
  await folded();
  await expect(toggle(page)).toBeInViewport();
  await toggle(page).press("Enter");
  await unfolded();
  await page.mouse.wheel(0, 100);
  await folded();
  // The line stays below the bar.
  await expect(toggle(page)).toBeInViewport();
  await toggle(page).press("Enter");
  await unfolded();
  await page.keyboard.press("Escape");
  await folded();
  await toggle(page).press("Enter");
  await unfolded();
  await expectSound(page, "unfolded-notice");
  await banner.getByRole("button", { name: "Dismiss" }).click();
  await expect(banner).toHaveCount(0);
});

test("on a phone, an urgent notice is folded and has large buttons", async ({ serve, visitor }) => {
  const program = await serve({});
  await postUrgent(program);
  const phone = await visitor(program.url);
  await phone.setViewportSize({ width: 390, height: 844 });
  await phone.goto("/rules");
  await expect(toggle(phone)).toHaveAttribute("aria-expanded", "false");
  const box = await phone.getByRole("region", { name: "Urgent" }).boundingBox();
  const title = await phone.getByRole("heading", { level: 1 }).boundingBox();
  expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(title?.y ?? 0);
  const dismissBox = await dismiss(phone).boundingBox();
  expect(Math.min(dismissBox?.width ?? 0, dismissBox?.height ?? 0)).toBeGreaterThanOrEqual(44);
  await toggle(phone).click();
  await expect(toggle(phone)).toHaveAttribute("aria-expanded", "true");
});

test("organizers have no urgent notice on their pages", async ({ page, serve }) => {
  const program = await serve({ edit: (text) => text.replace('"altcha"', '"off"') });
  await postUrgent(program);
  const { link } = await invite(program, "owner");
  await enrol(page, link);
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await expect(page.getByRole("region", { name: "Urgent" })).toHaveCount(0);
  await page.goto(`${program.url}/rules`);
  await expect(toggle(page)).toBeVisible();
});

for (const [width, height] of [
  [390, 844],
  [1440, 900],
] as const) {
  test(`no page moves when it loads with an urgent notice, at ${width} px`, async ({
    page,
    serve,
  }) => {
    test.slow();
    const program = await serve({});
    await postUrgent(program);
    await watchShifts(page, "together");
    await page.setViewportSize({ width, height });
    const expectStill = async (path: string) => {
      await page.goto(program.url + path);
      await expect(toggle(page)).toBeVisible();
      await expectCalm(page, program.url + path);
    };
    for (const path of ["/", "/login", "/signup", "/confirm", "/reset", "/nowhere"]) {
      await expectStill(path);
    }
    await enter(page, program, await newTeam(program, "Steady Hands"));
    for (const path of [
      "/",
      "/scoreboard",
      "/scoreboard?graph=true",
      "/challenge",
      "/challenge?open=welcome",
      "/team/Steady%20Hands",
      "/account",
      "/rules",
      "/news",
    ]) {
      await expectStill(path);
    }
  });
}
